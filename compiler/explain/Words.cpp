#include "explain/Words.h"

#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::explain {

using bounds::Quantifier;
using bounds::QuantityInfo;
using bounds::Rounding;
using bounds::Verdict;

namespace {

constexpr unsigned shownDigits = 5;
constexpr std::size_t shortEnough = 8;

Rounding outward(bool isLower) { return isLower ? Rounding::Down : Rounding::Up; }

std::string_view sign(bool isLower, bool isStrict) {
  if (isLower)
    return isStrict ? ">" : ">=";
  return isStrict ? "<" : "<=";
}

/// Rounded so that less is left, and more is missing.
std::string percent(const Rational& share) {
  if (abs(share) < Rational(1, 1000))
    return "less than 0.1%";
  return bounds::percent(abs(share), abs(share) < 1 ? 2 : 3,
                         share > 0 ? Rounding::Down : Rounding::Up);
}

std::string quantileText(const Rational& level, std::string_view symbol) {
  struct Row {
    int perMille;
    std::string_view name;
  };
  static constexpr Row rows[] = {
      {500, "p50"}, {900, "p90"}, {950, "p95"}, {990, "p99"}, {999, "p999"}};
  for (const Row& row : rows)
    if (level * 1000 == row.perMille)
      return fmt::format("{}({})", row.name, symbol);
  return fmt::format("quantile({}, {})", symbol, number(level, Rounding::Down));
}

} // namespace

std::string number(const Rational& value, Rounding rounding) {
  std::string exact = printRational(value);
  bool isShort = exact.size() <= shortEnough && exact.find('/') == std::string::npos;
  return isShort ? exact : bounds::decimal(value, shownDigits, rounding);
}

std::string boundNumber(const Rational& value, bool isLower) {
  return number(value, outward(isLower));
}

std::string measured(const Rational& value, const Notation& notation, Rounding rounding) {
  std::string text = number(value / notation.scale, rounding);
  if (notation.symbol.empty())
    return text;
  return fmt::format("{}{}{}", text, notation.symbol == "%" ? "" : " ", notation.symbol);
}

std::string keyText(const bounds::Key& key) {
  const QuantityInfo& row = bounds::info(key.quantity);
  bool isUpper = row.side == QuantityInfo::Side::Upper;
  switch (key.quantifier) {
  case Quantifier::Given:
    break;
  case Quantifier::Sup:
    return fmt::format("{}({})", isUpper ? "max" : "min", row.symbol);
  case Quantifier::Mean:
    return fmt::format("mean({})", row.symbol);
  case Quantifier::Quantile:
    return quantileText(isUpper ? Rational(1 - key.share) : key.share, row.symbol);
  }
  return std::string(row.symbol);
}

std::string stepText(const ChainStep& step) {
  if (step.isWords)
    return step.says;
  return fmt::format(
      "{} {} {}{}{}", step.says, step.isGiven ? "=" : sign(step.isLower, step.isStrict),
      boundNumber(step.bound, step.isLower), step.where.empty() ? "" : " ", step.where);
}

std::string slackText(const Chapter& chapter) { return slackText(chapter.slack, chapter.isLower); }

std::string slackText(const std::optional<Rational>& slack, bool isLower) {
  if (!slack)
    return {};
  if (*slack == 0)
    return "nothing to spare";
  if (isLower)
    return percent(*slack) + (*slack > 0 ? " to spare" : " short");
  return percent(*slack) + (*slack > 0 ? " to spare" : " beyond it");
}

std::string reasonText(const ChainStep& step) {
  if (step.ground)
    return step.ground->name.empty()
               ? std::string(kindName(step.ground->kind))
               : fmt::format("{} {}", kindName(step.ground->kind), step.ground->name);
  std::string out(step.curve ? step.curve->id : step.lemma->id);
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    out += fmt::format("{} {} = {}", i == 0 ? " at" : ",", step.inputs[i].name,
                       number(step.inputs[i].value, Rounding::Up));
  return step.curve ? fmt::format("{}, on means by {}", out, step.lemma->id) : out;
}

std::string foldText(const ChainStep& step) {
  std::string out;
  for (const FoldedStep& fold : step.folds)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", fold.lemma->id);
  return out;
}

std::string_view kindName(bounds::Origin::Kind kind) {
  static constexpr std::string_view names[] = {"clause", "assumption", "fact", "default"};
  return names[static_cast<std::size_t>(kind)];
}

std::string groundText(const Ground& ground) {
  return ground.kind == bounds::Origin::Kind::Clause
             ? ground.text
             : fmt::format("{}: {}", ground.name, ground.text);
}

std::string spotText(const std::optional<Spot>& spot) {
  return spot ? fmt::format("{}:{}:{}", utf8::printable(spot->file), spot->at.line, spot->at.column)
              : "by default";
}

std::string whereText(const Chapter& chapter) {
  if (chapter.isOfMixture)
    return "on the mixture of all slices";
  if (chapter.isOfEverySlice)
    return "on every slice";
  if (chapter.slices.empty())
    return {};
  std::vector<std::string> first(chapter.slices.begin(), chapter.slices.end() - 1);
  const std::string& last = chapter.slices.back();
  return first.empty() ? "on " + last : fmt::format("on {} and {}", fmt::join(first, ", "), last);
}

std::string verdictText(const Chapter& chapter) {
  if (chapter.verdict == Verdict::Refuted)
    return "refuted: there are kernels that satisfy every clause and violate it";
  const ChainStep* result = chapter.result();
  if (!result)
    return "not proved: nothing in the contract bounds it";
  std::string slack = slackText(chapter);
  return fmt::format("{}: {} {} {} follows, against a budget of {}{}",
                     chapter.verdict == Verdict::Proved ? "proved" : "not proved", result->says,
                     sign(result->isLower, result->isStrict), chapter.wording.bound,
                     chapter.wording.limit, slack.empty() ? "" : "; " + slack);
}

std::string reachText(const Reach& reach) {
  if (reach.extent.isFree)
    return "any value";
  if (!reach.extent.largest)
    return "not even 0 is enough";
  return measured(*reach.extent.largest, reach.notation, Rounding::Down);
}

std::vector<std::string> missingLines(const Chapter& chapter) {
  std::vector<std::string> out;
  for (const std::string& wish : chapter.missing)
    out.push_back(
        fmt::format("missing: {}{}", wish, chapter.result() ? ", with which it follows" : ""));
  if (chapter.result())
    return out;
  out.insert(out.end(), chapter.passedOver.begin(), chapter.passedOver.end());
  if (out.empty())
    out.emplace_back("no lemma leads from any clause to it");
  return out;
}

} // namespace tikc::explain
