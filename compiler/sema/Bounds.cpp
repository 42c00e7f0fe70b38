#include "sema/Subjects.h"
#include "sema/Types.h"
#include "support/Check.h"

#include <fmt/format.h>

namespace tikc::sema {

using namespace model;
using model::Level;
using model::MetricInfo;
using utf8::ticked;

std::string_view whyUncertain(const Subject& subject) {
  switch (subject.measure.aggregate) {
  case Aggregate::Max:
  case Aggregate::Min:
  case Aggregate::Sum:
  case Aggregate::Count:
    return "a maximum over a sample says nothing about larger values outside it; bound a quantile "
           "with confidence instead";
  case Aggregate::None:
  case Aggregate::Slope:
    return "a window has only one such value, which is not a sample";
  case Aggregate::Deviation:
    return "without the mean, the effect of one observation on a standard deviation is unknown; "
           "bound `rms` with confidence instead";
  case Aggregate::EffectiveShare:
    return "a few weights outside the sample can make up most of it; bound a quantile of the "
           "weights with confidence instead";
  case Aggregate::Mean:
  case Aggregate::MeanByResponse:
  case Aggregate::RootMeanSquare:
    return subject.domain.low && subject.domain.high
               ? ""
               : "the mean of values without a range can be anything, whatever a sample shows; "
                 "bound a quantile, or `tv_sampled`, with confidence instead";
  default:
    return {};
  }
}

Family familyOf(Level level) {
  switch (level) {
  case Level::Row:
    return Family::Numerical;
  case Level::Request:
    return Family::Runtime;
  default:
    return Family::Statistical;
  }
}

namespace {

/// Whether every value of the domain, or none, meets the comparison.
enum class Meets { Sometimes, Always, Never };

Meets reach(const ValueRange& domain, Comparator comparator, const Rational& bound) {
  const auto& [low, high] = domain;
  auto choose = [](bool always, bool never) {
    return always ? Meets::Always : never ? Meets::Never : Meets::Sometimes;
  };
  switch (comparator) {
  case Comparator::LessEqual:
    return choose(high && bound >= *high, low && bound < *low);
  case Comparator::Less:
    return choose(high && bound > *high, low && bound <= *low);
  case Comparator::GreaterEqual:
    return choose(low && bound <= *low, high && bound > *high);
  case Comparator::Greater:
    return choose(low && bound < *low, high && bound >= *high);
  case Comparator::Equal:
    return choose(false, (low && bound < *low) || (high && bound > *high));
  case Comparator::NotEqual:
    return choose((low && bound < *low) || (high && bound > *high), false);
  }
  TIKC_CHECK(false, "each comparator has its case");
}

std::string rangeText(const ValueRange& domain) {
  auto end = [](const std::optional<Rational>& value, std::string_view open) {
    return value ? printRational(*value) : std::string(open);
  };
  return fmt::format("{} to {}", end(domain.low, "-infinity"), end(domain.high, "infinity"));
}

/// `ess_sample >= 60`: of a share, which was meant as a percentage.
diag::Diagnostic& reportImpossible(FileContext& context, const Subject& subject,
                                   const Comparison& comparison, const Span& span) {
  auto& found = context.sink.report<diag::ImpossibleBound>(span, ticked(subject.name));
  const Amount& bound = comparison.bound;
  const bool isShare = subject.domain.low == Rational(0) && subject.domain.high == Rational(1);
  if (isShare && !comparison.upper && bound.unit == Unit::None && bound.value > 1 &&
      bound.value <= 100)
    found.withLabel("missing percent sign?").unsafeFix("add %", {{bound.span.finish(), "%"}});
  return found;
}

void checkReach(FileContext& context, const Subject& subject, const Comparison& comparison) {
  Meets result = Meets::Sometimes;
  if (comparison.upper) {
    Rational low = valueOf(comparison.bound), high = valueOf(*comparison.upper);
    if (low > high) {
      reportReversed(context, comparison.bound.span, comparison.upper->span, false);
      return;
    }
    Meets over = reach(subject.domain, Comparator::GreaterEqual, low);
    Meets under = reach(subject.domain, Comparator::LessEqual, high);
    if (over == Meets::Never || under == Meets::Never)
      result = Meets::Never;
    else if (over == Meets::Always && under == Meets::Always)
      result = Meets::Always;
  } else {
    result = reach(subject.domain, comparison.comparator, valueOf(comparison.bound));
  }
  if (result == Meets::Sometimes)
    return;
  Span span = join(comparison.bound.span,
                   comparison.upper ? comparison.upper->span : comparison.bound.span);
  std::string note = fmt::format("its range is {}", rangeText(subject.domain));
  if (result == Meets::Always)
    context.sink.report<diag::VacuousBound>(span, ticked(subject.name)).note(std::move(note));
  else
    reportImpossible(context, subject, comparison, span).note(std::move(note));
}

void checkScope(FileContext& context, const Symbols& symbols, const Scope& scope) {
  for (const Name& name : scope.slices)
    if (!symbols.isSlice(name.text))
      reportUnknown<diag::UnknownSlice>(context, name.text, name.span, symbols.sliceNames());
}

void checkConfidence(FileContext& context, const Subject& subject, const Comparison& comparison) {
  if (!comparison.confidence)
    return;
  const Amount& confidence = *comparison.confidence;
  if (!checkLevel(context, confidence))
    return;
  if (std::string_view why = whyUncertain(subject); !why.empty())
    context.sink
        .report<diag::ConfidenceOfExtreme>(confidence.span,
                                           ticked(context.sources.text(comparison.subject.span)))
        .note(std::string(why));
}

bool isSlope(const model::Measure& measure) {
  return measure.aggregate == Aggregate::Slope || measure.metric == model::MetricId::DriftSlope;
}

std::optional<Bound> typeBound(FileContext& context, const Symbols& symbols,
                               const Comparison& comparison, std::optional<Subject> subject) {
  checkScope(context, symbols, comparison.scope);
  if (comparison.over)
    checkAmount(context, *comparison.over,
                {Dimension::Time, Dimension::Tokens, Dimension::Sequences, Dimension::Requests,
                 Dimension::Steps, Dimension::Windows},
                "a window");
  if (subject && isSlope(subject->measure) && comparison.over &&
      comparison.over->dimension() == Dimension::Windows && comparison.over->scaled() == 1)
    context.sink.report<diag::AmountOutOfRange>(comparison.over->span, "the history of a slope",
                                                ticked(context.sources.text(comparison.over->span)),
                                                "at least 2 windows");
  if (!subject)
    return std::nullopt;
  Bound bound;
  bound.measure = subject->measure;
  bound.comparator = comparison.comparator;
  bound.limit = comparison.bound;
  bound.upper = comparison.upper;
  bound.scope = comparison.scope;
  bound.over = comparison.over;
  bound.confidence = comparison.confidence;
  bound.span = comparison.span;
  checkConfidence(context, *subject, comparison);
  if (const auto& threshold = bound.measure.threshold)
    if (!checkUnit(context, threshold->bound, model::info(bound.measure.metric).dimension,
                   "the threshold"))
      return std::nullopt;
  bool united = checkUnit(context, comparison.bound, subject->measured, ticked(subject->name));
  if (comparison.upper)
    united &= checkUnit(context, *comparison.upper, subject->measured, ticked(subject->name));
  if (!united)
    return std::nullopt;
  checkReach(context, *subject, comparison);
  return bound;
}

} // namespace

std::optional<Bound> typeClauseBound(FileContext& context, const Symbols& symbols,
                                     const Comparison& comparison, Family family) {
  auto subject = typeClauseSubject(context, comparison.subject);
  if (subject) {
    const MetricInfo& info = model::info(subject->measure.metric);
    if (familyOf(info.level) != family)
      context.sink.report<diag::MetricInOtherFamily>(comparison.subject.span, ticked(info.symbol),
                                                     familyName(familyOf(info.level)),
                                                     familyName(family));
    bool countable = subject->measure.aggregate == Aggregate::Count ||
                     subject->measure.aggregate == Aggregate::Sum;
    bool extreme = subject->domain.low && comparison.bound.value == *subject->domain.low;
    if (comparison.comparator == Comparator::Equal && !comparison.upper && !countable && !extreme)
      context.sink.report<diag::EqualityOfMeasured>(comparison.comparatorSpan,
                                                    ticked(subject->name));
  }
  return typeBound(context, symbols, comparison, std::move(subject));
}

std::optional<Bound> typeClaimBound(FileContext& context, const Symbols& symbols,
                                    const Comparison& comparison) {
  for (const auto* tail : {&comparison.over, &comparison.confidence})
    if (*tail)
      context.sink.report<diag::ClaimOfSample>(
          (*tail)->span, tail == &comparison.over ? "a window" : "a confidence");
  return typeBound(context, symbols, comparison, typeClaimSubject(context, comparison.subject));
}

} // namespace tikc::sema
