#include "explain/LemmaText.h"

#include "support/Check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tikc::explain {

using namespace bounds;

namespace {

/// A premise as it stands before the arrow; empty where it says nothing beside its neighbour.
std::string premiseText(const Premise& premise, const Parameter& parameter) {
  using Need = Premise::Need;
  std::string_view symbol = bounds::info(premise.quantity).symbol;
  switch (premise.need) {
  case Need::Each:
    return std::string(symbol);
  case Need::Sup:
    return fmt::format("the supremum of {}", symbol);
  case Need::Mean:
    return fmt::format("the mean of {}", symbol);
  case Need::Given:
    return fmt::format("the contract's {}", symbol);
  case Need::AtShare:
    return fmt::format("a quantile of {}", symbol);
  case Need::Asked:
    return fmt::format("the share {} on which the claim may fail", parameter.name);
  case Need::Chosen:
    return fmt::format("a free {}", parameter.name);
  case Need::Nothing:
  case Need::ShareOf:
    break;
  }
  return {};
}

std::string conclusionText(const Use& use, bool keepsKind) {
  std::string_view symbol = bounds::info(use.concludes).symbol;
  if (keepsKind)
    return fmt::format("{}, a supremum from a supremum and a quantile from a quantile", symbol);
  switch (use.quantifier) {
  case Quantifier::Given:
    return std::string(symbol);
  case Quantifier::Sup:
    return fmt::format("the supremum of {}", symbol);
  case Quantifier::Mean:
    return fmt::format("the mean of {}", symbol);
  case Quantifier::Quantile:
    return fmt::format("a quantile of {}", symbol);
  }
  TIKC_CHECK(false, "each quantifier has its case");
}

std::string useText(const Lemma& lemma, const Use& use) {
  std::vector<std::string> from;
  bool keepsKind = false;
  auto parameters = lemma.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Premise& premise = use.premises[i];
    keepsKind |= premise.need == Premise::Need::Each;
    if (std::string text = premiseText(premise, parameters[i]); !text.empty())
      from.push_back(text);
  }
  std::string out =
      fmt::format("From {}: {}.", fmt::join(from, " and "), conclusionText(use, keepsKind));
  if (use.under)
    out += fmt::format(" It needs {}: {}.", bounds::info(*use.under).symbol,
                       bounds::info(*use.under).meaning);
  return out;
}

} // namespace

std::vector<std::string> usesOf(const Lemma& lemma) {
  std::vector<std::string> out;
  for (const Use& use : lemma.uses())
    out.push_back(useText(lemma, use));
  if (out.empty())
    return out;
  if (lemma.curvature == bounds::Curvature::Concave)
    out.emplace_back("The curve is concave, so a mean gives a mean.");
  if (lemma.curvature == bounds::Curvature::Convex)
    out.emplace_back("The curve is convex, so a mean enters only along the chord to a cap.");
  if (lemma.needsFullSupport)
    out.emplace_back(
        "It holds only if the inference kernel can sample every token that the trainer can.");
  return out;
}

std::vector<LemmaPart> partsOf(const Lemma& lemma) {
  std::vector<LemmaPart> out{{"Hypotheses", std::string(lemma.hypotheses)},
                             {"Formula", std::string(lemma.formula)},
                             {"Tight", std::string(lemma.tight)},
                             {"Trap", std::string(lemma.trap)},
                             {"Proof", std::string(lemma.proof)},
                             {"Inverse", lemma.inverse ? std::string(lemma.inverse->id) : ""}};
  std::erase_if(out, [](const LemmaPart& part) { return part.text.empty(); });
  return out;
}

} // namespace tikc::explain
