#include "sema/ForeignNames.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::sema {

using namespace model;
using model::AggregateInfo;
using model::AliasInfo;
using model::AliasOf;
using model::ClaimInfo;
using model::MetricInfo;
using utf8::ticked;

namespace {

std::vector<std::string_view> symbolsOf(const auto& table, auto name) {
  std::vector<std::string_view> out;
  for (const auto& row : table)
    out.push_back(name(row));
  return out;
}
std::vector<std::string_view> claimSymbols() {
  return symbolsOf(model::claims(), [](const ClaimInfo& row) { return row.symbol; });
}

struct WholeSubject {
  std::string text;
  std::string_view says;
  bool isSame;
};
/// What trainers' names with their aggregate stand for.
std::vector<WholeSubject> measuresOf(const std::string& name) {
  std::vector<WholeSubject> out;
  for (const AliasInfo& row : model::findAliases(AliasOf::Measure, name))
    out.push_back({std::string(row.instead), row.says, row.isSame});
  if (!out.empty()) // a row of its own knows better than its parts
    return out;
  for (const AggregateInfo& row : model::aggregates()) {
    if (model::findMetric(name) || row.name == "quantile" || row.name == "rate")
      continue;
    std::string word(row.name), metric;
    if (name.ends_with('_' + word))
      metric = name.substr(0, name.size() - word.size() - 1);
    else if (name.starts_with(word + '_'))
      metric = name.substr(word.size() + 1);
    if (const MetricInfo* info = model::findMetric(metric); info && info->parameters.empty())
      out.push_back({fmt::format("{}({})", word, metric), {}, info->level != model::Level::Window});
    for (const AliasInfo& alias : model::findAliases(AliasOf::Metric, metric))
      if (!alias.instead.empty())
        out.push_back({fmt::format("{}({})", word, alias.instead), alias.says, alias.isSame});
  }
  return out;
}

/// p98, and percentile(x, 98).
bool reportPercentile(FileContext& context, const Expr& expr) {
  std::string_view digits = std::string_view(expr.text).substr(expr.text.empty() ? 0 : 1);
  bool isName = expr.text.starts_with('p') && expr.arguments.size() == 1 && !digits.empty() &&
                digits.find_first_not_of("0123456789") == std::string_view::npos &&
                digits.find_first_not_of('0') != std::string_view::npos &&
                (digits.size() <= 2 || (digits.starts_with("99") && digits.size() <= 6));
  std::vector<std::string> levels;
  bool isSure = digits.size() > 1; // p9 may lack a 9
  if (isName) {
    // The 5th is 0.05, but p999 is 0.999.
    levels.push_back(fmt::format("0.{}{}", digits.size() == 1 ? "0" : "", digits));
  } else if (expr.text == "percentile" && expr.arguments.size() == 2 &&
             expr.arguments[1].kind == Expr::Kind::Quantity) {
    Rational share = expr.arguments[1].quantity.value / 100;
    if (expr.arguments[1].quantity.unit != Unit::None || share <= 0 || share >= 1)
      return false;
    const Rational& written = expr.arguments[1].quantity.value;
    isSure = written > 1; // else it may be a level already
    if (written < 1)
      levels.push_back(printRational(written));
    levels.push_back(printRational(share));
  } else {
    return false;
  }
  Span rest = {expr.span.file, expr.arguments[0].span.end, expr.arguments.back().span.end};
  auto& found = context.sink.report<diag::UnknownAggregate>(expr.nameSpan, ticked(expr.text));
  for (const std::string& level : levels)
    found.fix(fmt::format("write quantile(…, {})", level),
              {{expr.nameSpan, "quantile"}, {rest, ", " + level}}, isSure);
  return true;
}

/// Within abs(…), what is a size already is not taken for one again.
std::vector<AliasInfo> asSizes(std::vector<AliasInfo> names) {
  std::vector<AliasInfo> out;
  for (AliasInfo& row : names) {
    if (row.instead.starts_with("abs(")) {
      row.instead.remove_prefix(4);
      row.instead.remove_suffix(1);
    }
    if (std::none_of(out.begin(), out.end(),
                     [&](const AliasInfo& other) { return other.instead == row.instead; }))
      out.push_back(row);
  }
  return out;
}

} // namespace

void explainAliases(diag::Diagnostic& finding, const Span& span, std::span<const AliasInfo> names) {
  for (const AliasInfo& row : names) {
    if (row.instead.empty()) {
      finding.note(std::string(row.says));
      continue;
    }
    if (!row.says.empty())
      finding.note(fmt::format("`{}`: {}", row.instead, row.says));
    finding.fix(fmt::format("write {}", row.instead), {{span, std::string(row.instead)}},
                row.isSame);
  }
  if (names.size() == 1 && !names.front().instead.empty())
    finding.withLabel(fmt::format("`{}` here", names.front().instead));
}

bool reportMeasure(FileContext& context, const Expr& name) {
  auto whole = measuresOf(name.text);
  if (whole.empty())
    return false;
  auto& found = context.sink.report<diag::UnknownMetric>(name.nameSpan, ticked(name.text));
  for (const auto& [text, says, isSame] : whole) {
    if (!says.empty())
      found.note(fmt::format("`{}`: {}", text, says));
    found.fix(fmt::format("write {}", text), {{name.span, text}}, isSame);
  }
  return true;
}

void reportUnknownMetric(FileContext& context, const Expr& named, bool isInAbs) {
  // mean(rollout_probs_diff_mean)
  if (auto whole = measuresOf(named.text);
      !whole.empty() && model::findAliases(AliasOf::Metric, named.text).empty()) {
    auto& found = context.sink.report<diag::UnknownMetric>(named.nameSpan, ticked(named.text));
    for (const auto& [text, says, isSame] : whole)
      found.note(says.empty()
                     ? fmt::format("there is an aggregate for this: `{}`", text)
                     : fmt::format("there is an aggregate for this: `{}`; {}", text, says));
    return;
  }
  if (auto names = model::findAliases(AliasOf::Metric, named.text); isInAbs && !names.empty())
    return explainAliases(
        context.sink.report<diag::UnknownMetric>(named.nameSpan, ticked(named.text)),
        named.nameSpan, asSizes(std::move(names)));
  auto symbols = symbolsOf(model::metrics(), [](const MetricInfo& row) { return row.symbol; });
  reportUnknown<diag::UnknownMetric>(context, named.text, named.nameSpan, symbols, AliasOf::Metric);
}

void reportUnknownAggregate(FileContext& context, const Expr& call) {
  if (reportPercentile(context, call))
    return;
  auto names = symbolsOf(model::aggregates(), [](const AggregateInfo& row) { return row.name; });
  reportUnknown<diag::UnknownAggregate>(context, call.text, call.nameSpan, names,
                                        AliasOf::Aggregate);
}

void reportNotMeasured(FileContext& context, const Expr& named) {
  explainAliases(context.sink.report<diag::NotMeasured>(named.nameSpan, ticked(named.text)),
                 named.nameSpan, model::findAliases(AliasOf::Metric, named.text));
}

void reportUnknownClaim(FileContext& context, const Expr& named) {
  auto names = model::findAliases(AliasOf::Claim, named.text);
  if (names.empty())
    for (const AliasInfo& row : model::findAliases(AliasOf::Metric, named.text))
      if (model::findClaim(row.instead))
        names.push_back(row);
  if (names.empty())
    reportUnknown<diag::UnknownClaimQuantity>(context, named.text, named.nameSpan, claimSymbols());
  else
    explainAliases(
        context.sink.report<diag::UnknownClaimQuantity>(named.nameSpan, ticked(named.text)),
        named.nameSpan, names);
}

void reportNotClaimed(FileContext& context, const Expr& named) {
  explainAliases(context.sink.report<diag::NotClaimed>(named.nameSpan, ticked(named.text))
                     .note(fmt::format("claims are about {}", fmt::join(claimSymbols(), ", "))),
                 named.nameSpan, model::findAliases(AliasOf::Claim, named.text));
}

} // namespace tikc::sema
