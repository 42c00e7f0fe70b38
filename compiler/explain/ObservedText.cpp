#include "explain/Evidence.h"
#include "explain/Words.h"
#include "model/Amount.h"
#include "support/Check.h"
#include "support/Names.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tikc::explain {

using bounds::Rounding;

namespace {

struct ObservedField {
  std::string_view name;
  std::optional<Rational> Observations::*value;
};

constexpr std::array fields = {ObservedField{"tokens", &Observations::tokens},
                               ObservedField{"violations", &Observations::violations},
                               ObservedField{"sequences", &Observations::sequences},
                               ObservedField{"prompts", &Observations::prompts},
                               ObservedField{"confidence", &Observations::confidence},
                               ObservedField{"windows", &Observations::windows}};

/// A decimal with `_` between thousands, or a percentage.
std::optional<Rational> readNumber(std::string text) {
  bool isPercent = text.ends_with('%');
  if (isPercent)
    text.pop_back();
  std::erase(text, '_');
  auto value = parseDecimal(text);
  if (value && isPercent)
    *value /= 100;
  return value;
}

llvm::Error readField(Observations& out, const std::string& part) {
  std::size_t equals = part.find('=');
  std::string name = part.substr(0, equals);
  auto field = std::find_if(fields.begin(), fields.end(),
                            [&](const ObservedField& each) { return each.name == name; });
  if (field == fields.end()) {
    std::vector<std::string_view> names;
    names.reserve(fields.size());
    for (const ObservedField& each : fields)
      names.push_back(each.name);
    auto near = nearestName(name, names);
    return usageError(fmt::format("unknown field {} in --evidence; {}", utf8::ticked(name),
                                  near ? fmt::format("did you mean `{}`?", *near)
                                       : "write " + joinAlternatives(names)));
  }
  auto& value = out.*field->value;
  if (value)
    return usageError(fmt::format("--evidence has {} twice", name));
  value = equals == std::string::npos ? std::nullopt : readNumber(part.substr(equals + 1));
  bool isShare = field->value == &Observations::confidence;
  bool isGood =
      value && (isShare ? *value > 0 && *value < 1 : *value >= 0 && value->get_den() == 1);
  if (isGood)
    return llvm::Error::success();
  return usageError(fmt::format("--evidence: {} must be {}, found {}", name,
                                isShare ? "above 0 and below 1" : "a whole number",
                                utf8::ticked(part)));
}

std::string count(const Rational& value) {
  std::string out = value.get_str();
  for (auto at = static_cast<std::ptrdiff_t>(out.size()) - 3; at > 0; at -= 3)
    out.insert(static_cast<std::size_t>(at), ",");
  return out;
}

/// What the statements are about.
std::string_view unitLine(Observations::Unit unit) {
  switch (unit) {
  case Observations::Unit::Context:
    return "Bounds on rows and tokens hold for the contexts served, not for the population: "
           "contexts are treated as independent draws, but those of one response are not. With "
           "sequences=N, and prompts=N if several responses share a prompt, the response or the "
           "prompt is the unit, and the bounds hold for the population.";
  case Observations::Unit::Response:
    return "The bounds hold for the population that responses are drawn from; the unit is the "
           "response. A metric of rows or tokens enters as each response's own mean or share, so a "
           "long response counts as much as a short one. If there are fewer rows than responses, "
           "each row is taken to be of another response. Responses are treated as independent "
           "draws; if several share a prompt they are not, and prompts=N states how many prompts "
           "there were.";
  case Observations::Unit::Prompt:
    return "The bounds hold for the population that prompts are drawn from; the unit is the "
           "prompt. A metric enters as the mean over a prompt's responses of each one's own mean "
           "or share, so every prompt counts alike. Prompts are treated as independent draws.";
  }
  TIKC_CHECK(false, "each unit has its case");
}

} // namespace

llvm::Expected<Observations> readObserved(const std::string& text) {
  Observations out;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = std::min(text.find(',', begin), text.size());
    if (auto error = readField(out, text.substr(begin, end - begin)))
      return error;
    begin = end + 1;
  }
  if (!out.tokens)
    return usageError("--evidence requires tokens=N, the tokens served on a slice");
  if (!out.violations)
    return usageError("--evidence requires violations=N, the observations that violated a maximum");
  if (out.sequences && *out.sequences > *out.tokens)
    return usageError("--evidence: expected at most as many sequences as tokens");
  if (out.prompts && *out.prompts > (out.sequences ? *out.sequences : *out.tokens))
    return usageError(fmt::format("--evidence: expected at most as many prompts as {}",
                                  out.sequences ? "sequences" : "tokens"));
  if (!out.confidence)
    out.confidence = Rational(95, 100);
  if (!out.windows)
    out.windows = 1;
  if (*out.windows < 1)
    return usageError("--evidence: expected at least 1 window");
  return out;
}

std::vector<std::string> observedLines(const Observations& observed) {
  std::string what = fmt::format("{} tokens", count(*observed.tokens));
  if (observed.sequences)
    what += fmt::format(" in {} responses", count(*observed.sequences));
  if (observed.prompts)
    what += fmt::format(" to {} prompts", count(*observed.prompts));
  std::vector<std::string> out = {
      fmt::format("{} served on each slice over {} window{}, sampled as declared; {} violation{} "
                  "of each maximum and minimum; every other "
                  "clause satisfied by the observations that count; confidence {}.",
                  what, count(*observed.windows), *observed.windows == 1 ? "" : "s",
                  count(*observed.violations), *observed.violations == 1 ? "" : "s",
                  bounds::percent(*observed.confidence, 8, Rounding::Down))};
  out.emplace_back(unitLine(observed.unit()));
  out.emplace_back("Observations cannot show what holds for every context, nor the mean of a "
                   "metric without a range, such as k3; claims that depend on these do not follow. "
                   "Assumptions are taken as given.");
  return out;
}

std::string_view wayName(bool isAnytime) {
  return isAnytime ? "at any time" : "n fixed beforehand";
}

std::string weighedText(const WeighedClaim& weighed, const Chapter& chapter) {
  if (!weighed.bound)
    return "nothing follows";
  std::string_view sign = chapter.isLower ? ">=" : "<=";
  return fmt::format("{} {} {}{}, {}", chapter.says, sign,
                     boundNumber(*weighed.bound, chapter.isLower),
                     weighed.isOfServed() ? " over the contexts served" : "",
                     weighed.isShown ? "shown" : "not enough");
}

std::vector<std::string> statementLines(const WeighedClaim& weighed) {
  std::vector<std::string> out;
  for (const ObservedStatement& row : weighed.statements) {
    std::string what = row.isShare ? fmt::format("all but {} of {}{} satisfy it",
                                                 bounds::percent(row.value, 5, Rounding::Up),
                                                 row.population, row.isOfServed ? " served" : "")
                                   : fmt::format("the mean {}is at most {}",
                                                 row.isOfServed ? "over contexts served " : "",
                                                 number(row.value, Rounding::Up));
    out.push_back(fmt::format("{}{}: {} {}s, {} ({})", row.clause,
                              row.slice.empty() ? "" : " on " + row.slice, count(row.observations),
                              row.unit, what, row.lemma));
  }
  if (weighed.statements.size() > 1)
    out.push_back(fmt::format("the {} that may be wrong is split over {} statements (S-BONF)",
                              bounds::percent(weighed.alpha, 5, Rounding::Up),
                              weighed.statements.size()));
  return out;
}

} // namespace tikc::explain
