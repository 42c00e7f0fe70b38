#include "ide/completion/Continuation.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace tikc::ide {

using model::Dimension;

namespace {

bool canBeNegative(const model::MetricInfo& row) {
  return row.range.low.empty() || row.range.low.starts_with('-');
}

} // namespace

void Continuation::requirement() {
  if (expr_.kind(opener_) == Kind::LeftBracket)
    return previous() == Kind::Number ? comparisonUnits() : void();
  if (isBracketed())
    return measureArgument();
  switch (previous()) {
  case Kind::End:
  case Kind::And:
    return subjects();
  case Kind::On:
    add(keywordItem("all", "The mixture of all slices."), 1);
    add(keywordItem("slices", "Each slice separately: the default, spelled out."), 1);
    return names(names_.slices, "slice");
  case Kind::Comma:
    return names(names_.slices, "slice");
  case Kind::With:
    return keyword(Kind::Confidence, "A confidence interval decides rather than the point value.");
  case Kind::Per:
    return amounts({Dimension::Time});
  case Kind::Number:
    comparisonUnits();
    break;
  case Kind::Name:
    if (auto measured = next_.has(Kind::Per) ? subject() : std::nullopt)
      if (measured->measured == model::Measured::TokenRate)
        rate();
    break;
  default:
    break;
  }
  if (next_.hasComparator()) {
    comparators(true, false);
    keyword(Kind::In, "Within a range: `in [a, b]`, both ends included.");
  }
  tails();
}

/// Some aggregates are of some quantities only.
bool Continuation::canBegin(const model::AggregateInfo& row) {
  if (isClaim_)
    return typed(row.name == "quantile" ? "quantile(ratio, 0.5)"
                                        : fmt::format("{}(ratio)", row.name))
        .has_value();
  bool isOfSome = row.aggregate == model::Aggregate::MeanByResponse ||
                  row.aggregate == model::Aggregate::EffectiveShare;
  // What follows in brackets may be none of these: then it is for who begins to write it.
  bool isBegun = !slot_.word().empty() && row.name.starts_with(slot_.word());
  return !isOfSome || ((slot_.next() != '(' || isBegun) &&
                       context_.section == model::familyName(model::Family::Statistical));
}

/// What a comparison begins with.
void Continuation::subjects() {
  for (const model::AggregateInfo& row : model::aggregates())
    if (canBegin(row))
      add(aggregateItem(row, slot_));
  if (slot_.next() == '(')
    return;
  if (isClaim_) {
    for (const model::ClaimInfo& row : model::claims())
      if (typed(row.symbol))
        add(claimItem(row));
    return;
  }
  for (const model::MetricInfo& row : model::metrics())
    if (row.level == model::Level::Window &&
        model::familyName(sema::familyOf(row.level)) == context_.section)
      add(metricItem(row, slot_), 1);
}

/// What an aggregate is of.
void Continuation::measures() {
  std::string_view aggregate = callee();
  if (isClaim_) {
    std::string_view level = aggregate == "quantile" ? ", 0.5" : "";
    for (const model::ClaimInfo& row : model::claims())
      if (typed(fmt::format("{}({}{})", aggregate, row.symbol, level)))
        add(claimItem(row));
    return;
  }
  bool isAbsolute = aggregate == "abs", hasNegative = false;
  if (isAbsolute)
    aggregate = calleeAt(expr_.innermostOpener(opener_));
  bool isByResponse = aggregate == "mean_by_response", isOfWeights = aggregate == "effective_share";
  for (const model::MetricInfo& row : model::metrics()) {
    if (model::familyName(sema::familyOf(row.level)) != context_.section ||
        (isAbsolute && !canBeNegative(row)) ||
        (isByResponse && !model::isAveragedByResponse(row)) ||
        (isOfWeights && !model::isWeight(row)))
      continue;
    hasNegative |= canBeNegative(row);
    if (slot_.next() == '(' && row.parameters.empty())
      continue;
    add(metricItem(row, slot_), row.level == model::Level::Window ? 1 : 0);
  }
  if (hasNegative && !isAbsolute)
    add(absoluteItem(slot_));
}

void Continuation::measureArgument() {
  const model::MetricInfo* metric = model::findMetric(callee());
  bool begins = previous() == Kind::LeftParen || previous() == Kind::Comma;
  if (begins && metric) {
    for (std::string_view name : llvm::StringRef(metric->parameters).empty()
                                     ? std::vector<std::string_view>()
                                     : splitWords(metric->parameters))
      add({fmt::format("{}=", name), ItemKind::Property, "a ratio"});
  } else if (begins && argument() == 0) {
    measures();
  } else if (callee() == "rate" && previous() == Kind::Number) {
    for (std::size_t i = opener_ + 1; i < count_; ++i)
      if (const auto* counted = model::findMetric(expr_.of(i)))
        return units(counted->dimension);
  } else if (callee() == "rate" && next_.hasComparator()) {
    comparators(true, false);
  }
}

std::size_t Continuation::comparisonBegin() const {
  for (std::size_t i = count_; i-- > 0;)
    if (expr_.kind(i) == Kind::And && expr_.innermostOpener(i) == expr_.tokens.size())
      return i + 1;
  return 0;
}

/// The left side of the comparison at the cursor.
std::optional<sema::Subject> Continuation::subject() const {
  std::size_t begin = comparisonBegin();
  for (std::size_t i = begin; i < count_; ++i) {
    bool ends = expr::isComparator(expr_.kind(i)) || expr_.kind(i) == Kind::In;
    if (ends && expr_.innermostOpener(i) == expr_.tokens.size())
      return typed(expr_.text.substr(expr_.tokens[begin].begin,
                                     expr_.tokens[i].begin - expr_.tokens[begin].begin));
  }
  return std::nullopt;
}

/// What the type checker makes of the left side of a comparison; nothing where it refuses it.
std::optional<sema::Subject> Continuation::typed(std::string_view subject) const {
  diag::Sink unheard(expression_.limits_);
  sema::FileContext context = expression_.checker(unheard);
  yaml::Node scalar;
  scalar.type = yaml::ScalarType::String;
  scalar.value = fmt::format("{} <= 0", subject);
  scalar.span = {expression_.sources_.add({}, {}, scalar.value), 0,
                 static_cast<std::uint32_t>(scalar.value.size())};
  auto read = context.expressions.requirement(scalar, unheard);
  if (!read)
    return std::nullopt;
  const model::Expr& left = read->comparisons.front().subject;
  return isClaim_ ? sema::typeClaimSubject(context, left) : sema::typeClauseSubject(context, left);
}

/// After a number outside of calls: of the window, of the level, or of what is bounded.
void Continuation::comparisonUnits() {
  std::size_t before = count_ - 1;
  if (before > 0 && expr_.kind(before - 1) == Kind::Minus)
    --before;
  Kind kind = before > 0 ? expr_.kind(before - 1) : Kind::End;
  if (kind == Kind::Over)
    return amounts({Dimension::Time, Dimension::Tokens, Dimension::Sequences, Dimension::Requests,
                    Dimension::Steps, Dimension::Windows});
  if (kind == Kind::Confidence)
    return units(model::Measured::None);
  if (auto measured = subject())
    units(measured->measured);
}

/// Whether the comparison has no such tail yet.
bool Continuation::isFresh(Kind tail) const {
  for (std::size_t i = comparisonBegin(); i < count_; ++i)
    if (expr_.kind(i) == tail)
      return false;
  return true;
}

void Continuation::tails() {
  if (isFresh(Kind::On))
    keyword(Kind::On, "The slices that the comparison binds: `on all`, or names.");
  if (!isClaim_ && isFresh(Kind::Over))
    keyword(Kind::Over, "The window over which the comparison is judged: a time, or a number of "
                        "tokens, sequences, requests, steps or windows.");
  if (!isClaim_ && isFresh(Kind::With) && next_.has(Kind::With)) {
    auto measured = subject();
    if (measured && sema::whyUncertain(*measured).empty()) {
      CompletionItem item =
          keywordItem("with", "A confidence interval decides rather than the point value.");
      llvm::StringRef rest(context_.text.data() + slot_.end(), context_.text.size() - slot_.end());
      if (!rest.ltrim().starts_with(expr::keyword(Kind::Confidence)))
        item.label = "with confidence";
      add(std::move(item), 1);
    }
  }
  keyword(Kind::And, "Another comparison that must also hold.");
}

} // namespace tikc::ide
