#include "suggest/Choices.h"

#include "bounds/numbers/Interval.h"
#include "bounds/prove/ClauseForms.h"
#include "data/Fault.h"
#include "model/Metrics.h"
#include "sema/Subjects.h"
#include "suggest/Trial.h"
#include "support/Columns.h"
#include "support/Names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tikc::suggest {
namespace {

constexpr std::string_view openNumber = "…"; // in a form, for a number
constexpr unsigned shownDigits = 4;

struct ClauseChoice {
  std::string id, form, unit; // "c3", "mean(k3) <= …", " nat"
  double value = 0;
  bool hasInterval = false;
  std::string partner; // a second clause, which caps every observation
  std::string bound;   // rounded outward
  Rational number;     // of the bound
};

/// Caps that lemmas take with means: of tokens, and of rows.
constexpr std::string_view capOfTokens = "max(ratio) <= …", capOfRows = "max(logit_osc) <= …";

std::string_view unitOf(model::Measured dimension) {
  return dimension == model::Measured::Information ? " nat" : "";
}

std::string filled(const ClauseChoice& each, std::string_view number) {
  std::string out = each.form;
  return out.replace(out.find(openNumber), openNumber.size(), number) + each.unit;
}

bool isUpper(const ClauseChoice& each) { return each.form.find("<=") != std::string::npos; }

/// "tv", or "max(tv)". It becomes part of a text, so nothing else may be in it.
const model::ClaimInfo* claimIn(std::string_view quantity) {
  if (const std::size_t open = quantity.find('('); open != std::string_view::npos) {
    if (!isIdentifier(quantity.substr(0, open)) || !quantity.ends_with(')'))
      return nullptr;
    quantity = quantity.substr(open + 1, quantity.size() - open - 2);
  }
  return model::findClaim(quantity);
}

std::string claimNames() {
  std::vector<std::string_view> names;
  for (const model::ClaimInfo& each : model::claims())
    names.push_back(each.symbol);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool hasInterval(const model::Measure& measure) {
  return sema::whyUncertain({measure, {}, model::domainOf(measure), {}}).empty();
}

class Chooser {
public:
  Chooser(std::string_view quantity, const model::ClaimInfo& claim,
          const SuggestionOptions& options, const data::Source& source, const Look& look,
          unsigned jobs)
      : quantity_(quantity), claim_(claim), options_(options), source_(source), look_(look),
        jobs_(jobs), isOfRows_(look.all.tokens == 0) {}

  Choices take() {
    gather();
    measure();
    const std::vector<ClauseChoice> measured = candidates_;
    std::erase_if(candidates_, [&](ClauseChoice& each) { return !bounds(each); });
    addPairs(measured);
    if (!fault_.empty())
      return {{}, {}, fault_};
    if (candidates_.empty())
      return {{}, whyNone(), {}};
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [&](const ClauseChoice& a, const ClauseChoice& b) {
                       return isHigherBetter() ? a.number > b.number : a.number < b.number;
                     });
    return {table(), {}, {}};
  }

private:
  bool isHigherBetter() const { return claim_.better == model::Better::Higher; }

  /// Forms with one number, on figures without parameters.
  void gather() {
    const model::Input input = isOfRows_ ? model::Input::Logits : model::Input::Logprobs;
    for (const model::MetricInfo& metric : model::metrics()) {
      if (metric.input != input)
        continue;
      for (const bounds::ClauseForm& form : bounds::clauseForms(metric)) {
        const std::size_t at = form.text.find(openNumber);
        if (form.why.empty() && at == form.text.rfind(openNumber) &&
            form.text.find("(low") == std::string::npos)
          add(form.text, metric.dimension);
      }
    }
  }

  void add(const std::string& form, model::Measured dimension) {
    ClauseChoice& out = candidates_.emplace_back();
    out.id = fmt::format("c{}", candidates_.size());
    out.form = form;
    out.unit = unitOf(dimension);
  }

  /// All candidates at once, under limits that nothing exceeds. What a clause may not be is left
  /// out.
  void measure() {
    for (;;) {
      const CheckedDraft probe(textOf(candidates_, [](const ClauseChoice& each) {
        return filled(each, isUpper(each) ? "1_000_000" : "-1_000_000");
      }));
      if (!dropFaulty(probe)) {
        if (fault_.empty() && !candidates_.empty())
          readValues(probe);
        return;
      }
    }
  }

  bool dropFaulty(const CheckedDraft& probe) {
    bool isChanged = false;
    for (const diag::Diagnostic& finding : probe.findings()) {
      if (finding.severity != diag::Severity::Error)
        continue;
      const std::string at = probe.statementAt(finding.span);
      const std::size_t dropped =
          std::erase_if(candidates_, [&](const ClauseChoice& each) { return each.id == at; });
      isChanged = isChanged || dropped != 0;
      if (dropped == 0 && fault_.empty() && !isChanged)
        fault_ = finding.message;
    }
    return isChanged;
  }

  void readValues(const CheckedDraft& probe) {
    const std::vector<ClauseOutcome> outcomes = probe.measured(source_, jobs_);
    const std::vector<model::Clause>& clauses = probe.contracts().front().clauses;
    std::erase_if(candidates_, [&](ClauseChoice& each) {
      const auto seen = std::find_if(outcomes.begin(), outcomes.end(),
                                     [&](const ClauseOutcome& at) { return at.clause == each.id; });
      const auto clause = std::find_if(clauses.begin(), clauses.end(),
                                       [&](const auto& at) { return at.id.text == each.id; });
      if (seen == outcomes.end() || clause == clauses.end() || !std::isfinite(seen->value))
        return true;
      each.value = seen->value;
      each.hasInterval = hasInterval(clause->bounds.front().measure);
      return false;
    });
  }

  /// Adds each mean together with the cap, if both say more than either of them.
  void addPairs(const std::vector<ClauseChoice>& measured) {
    const std::string_view form = isOfRows_ ? capOfRows : capOfTokens;
    const auto isCap = [&](const ClauseChoice& each) { return each.form == form; };
    const auto cap = std::find_if(measured.begin(), measured.end(), isCap);
    if (cap == measured.end())
      return;
    const std::vector<ClauseChoice> alone = candidates_;
    const auto saysLess = [&](const ClauseChoice& pair, const ClauseChoice& one) {
      return (one.id != pair.id && one.id != cap->id) ||
             (isHigherBetter() ? one.number < pair.number : one.number > pair.number);
    };
    for (ClauseChoice each : measured) {
      if (!each.form.starts_with("mean(") && !each.form.starts_with("rms("))
        continue;
      each.partner = filled(*cap, limitOf(*cap));
      each.hasInterval = false; // nothing is known of the largest value beyond the data
      if (bounds(each) && std::all_of(alone.begin(), alone.end(),
                                      [&](const ClauseChoice& one) { return saysLess(each, one); }))
        candidates_.push_back(std::move(each));
    }
  }

  /// Whether the prover bounds the quantity by this choice alone, by less than what always holds.
  bool bounds(ClauseChoice& each) {
    const std::string limit = limitOf(each);
    const CheckedDraft checked(
        textOf({each}, [&](const ClauseChoice& at) { return filled(at, limit); }));
    for (const diag::ClaimVerdict& verdict : checked.verdicts()) {
      const auto number = numberIn(verdict.bound);
      if (verdict.verdict != "proved" || !number)
        continue;
      const std::string rounded = bounds::decimal(
          *number, shownDigits, isHigherBetter() ? bounds::Rounding::Down : bounds::Rounding::Up);
      each.number = *parseDecimal(rounded);
      each.bound = rounded + verdict.bound.substr(
                                 std::min(verdict.bound.find_first_of("% "), verdict.bound.size()));
      return !isTrivial(each.number);
    }
    return false;
  }

  std::string limitOf(const ClauseChoice& each) const {
    return bounds::decimal(Rational(each.value), shownDigits,
                           isUpper(each) ? bounds::Rounding::Up : bounds::Rounding::Down);
  }

  /// The limit of the claim that is asked: one that nearly every bound meets.
  std::string wide() const {
    if (isHigherBetter())
      return "0.000001%"; // what every value meets is not asked
    return claim_.range.high == "1" ? "100%"
                                    : "1_000_000_000" + std::string(unitOf(claim_.dimension));
  }
  bool isTrivial(const Rational& number) const {
    return isHigherBetter() ? number <= 0 : claim_.range.high == "1" && number >= 100;
  }

  template <class Clause>
  std::string textOf(const std::vector<ClauseChoice>& clauses, Clause&& clause) const {
    std::string out = "tikc: v1\ncontract: choices\nversion: 0.1.0\ndraft: true\n"
                      "kernels: { trainer: { engine: trainer }, rollout: { engine: server } }\n"
                      "pair: { train: trainer, infer: rollout }\n";
    out += isOfRows_ ? fmt::format("model: {{ vocabulary: {} }}\n", look_.vocabulary)
                     : fmt::format("model: {{ horizon: {} tokens }}\n", look_.longest);
    out += assumptionsText(options_);
    out += isOfRows_ ? "numerical:\n" : "statistical:\n";
    for (const ClauseChoice& each : clauses)
      out += fmt::format("  {}: {}\n{}", each.id, clause(each),
                         each.partner.empty() ? "" : fmt::format("  cap: {}\n", each.partner));
    out += isOfRows_ ? "observability: { rows: 'sample(logits, 100%)' }\n"
                     : "observability: { tokens: 'sample(logprobs, 100%)' }\n";
    return out + fmt::format("claims:\n  asked: {} {} {}\n", quantity_,
                             isHigherBetter() ? ">=" : "<=", wide());
  }

  std::string whyNone() const {
    std::string out = fmt::format("no clause on {} bounds {}",
                                  isOfRows_ ? "rows of logits" : "log-probs", quantity_);
    const bool needsReward = claim_.id == model::ClaimId::RewardDrift && !options_.reward;
    const bool needsNorms = claim_.id == model::ClaimId::PgBias && !options_.advantage;
    if (needsReward)
      return out + "; its bounds need --reward";
    if (needsNorms)
      return out + "; its bounds need --advantage and --score-norm";
    return options_.hasFullSupport ? out : out + "; some bounds need --full-support";
  }

  std::string table() const {
    const std::string of =
        isOfRows_ ? fmt::format("{} rows of logits", data::grouped(look_.all.rows))
                  : fmt::format("{} responses with {} tokens", data::grouped(look_.all.size.count),
                                data::grouped(look_.all.tokens));
    std::string out = fmt::format("Clauses that bound {}, at their values in {}\n", quantity_, of);
    if (!isOfRows_)
      out += fmt::format("Assumes that no response has more than {} tokens, as here\n",
                         data::grouped(look_.longest));
    if (quantity_.find("pg_") != std::string::npos)
      out += "Assumes `estimator: step` and `correction: none`; other ones have other bounds\n";
    std::vector<std::vector<std::string>> rows = {
        {"clause at its value",
         fmt::format("{} at {}", quantity_, isHigherBetter() ? "least" : "most"), "to the tightest",
         "interval"}};
    const Rational& best = candidates_.front().number;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const ClauseChoice& each = candidates_[i];
      // Clauses on k1 or k2, for example, are often clauses on the log-ratio in other words.
      if (i > 0 && each.bound == candidates_[i - 1].bound)
        continue;
      const Rational& larger = isHigherBetter() ? best : each.number;
      const Rational& smaller = isHigherBetter() ? each.number : best;
      const std::string with = each.partner.empty() ? "" : " with " + each.partner;
      rows.push_back({filled(each, limitOf(each)) + with, each.bound,
                      smaller > 0 ? fmt::format("{:.3g}×", Rational(larger / smaller).get_d()) : "",
                      each.hasInterval ? "yes" : "no"});
    }
    out += "\n" + inColumns(rows) + "\nOf clauses with the same bound, the first is listed. ";
    return out + (options_.hasFullSupport ? "Assumes full support.\n"
                                          : "With --full-support, more clauses may bound it.\n");
  }

  std::string quantity_;
  const model::ClaimInfo& claim_;
  const SuggestionOptions& options_;
  const data::Source& source_;
  const Look& look_;
  unsigned jobs_;
  bool isOfRows_;
  std::vector<ClauseChoice> candidates_;
  std::string fault_;
};

} // namespace

Choices choicesFor(std::string_view quantity, const SuggestionOptions& options,
                   const data::Source& source, const Look& look, unsigned jobs) {
  const model::ClaimInfo* claim = claimIn(quantity);
  if (claim == nullptr)
    return {{}, {}, fmt::format("expected a quantity of claims: {}", claimNames())};
  return Chooser(quantity, *claim, options, source, look, jobs).take();
}

} // namespace tikc::suggest
