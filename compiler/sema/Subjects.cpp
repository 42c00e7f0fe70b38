#include "sema/Subjects.h"

#include "sema/Domains.h"
#include "sema/ForeignNames.h"
#include "support/Check.h"
#include "support/Names.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace tikc::sema {

using namespace model;
using model::AggregateInfo;
using model::ClaimInfo;
using model::Level;
using model::Measured;
using model::MetricInfo;
using utf8::ticked;

namespace {

class SubjectTyper {
public:
  explicit SubjectTyper(FileContext& context) : context_(context) {}

  std::optional<Subject> clause(const Expr& expr) {
    Subject subject{{}, {}, {}, std::string(context_.sources.text(expr.span))};
    subject.measure.span = expr.span;
    const AggregateInfo* aggregate =
        expr.kind == Expr::Kind::Call ? model::findAggregate(expr.text) : nullptr;
    if (!aggregate)
      return bareMetric(expr, std::move(subject));
    const Expr* operand = applyAggregate(expr, *aggregate, subject.measure);
    if (!operand || !metric(*operand, subject))
      return std::nullopt;
    if (aggregate->aggregate == Aggregate::MeanByResponse && !isAveragedByResponse(expr, subject))
      return std::nullopt;
    if (aggregate->aggregate == Aggregate::Rate && !hasCondition(expr, subject.measure))
      return std::nullopt;
    if (aggregate->aggregate == Aggregate::EffectiveShare && !isWeight(expr, subject))
      return std::nullopt;
    applyDomain(*aggregate, subject);
    return subject;
  }

  std::optional<Subject> claim(const Expr& expr) {
    Subject subject{{}, {}, {}, std::string(context_.sources.text(expr.span))};
    subject.measure.span = expr.span;
    const Expr* operand = &expr;
    if (expr.kind == Expr::Kind::Call) {
      const AggregateInfo* aggregate = model::findAggregate(expr.text);
      if (!aggregate) {
        reportUnknownAggregate(context_, expr);
        return std::nullopt;
      }
      bool allowed =
          aggregate->aggregate == Aggregate::Mean || aggregate->aggregate == Aggregate::Max ||
          aggregate->aggregate == Aggregate::Min || aggregate->aggregate == Aggregate::Quantile;
      if (!allowed) {
        context_.sink.report<diag::AggregateNotAllowed>(expr.nameSpan, ticked(expr.text), "a claim")
            .note("a claim is about a mean, a maximum, a minimum or a quantile");
        return std::nullopt;
      }
      operand = applyAggregate(expr, *aggregate, subject.measure);
    }
    if (!operand || !claimQuantity(*operand, subject))
      return std::nullopt;
    return subject;
  }

private:
  /// A metric without an aggregate: right for a window's own figure only.
  std::optional<Subject> bareMetric(const Expr& expr, Subject subject) {
    bool looksLikeMetric =
        expr.kind == Expr::Kind::Name || model::findMetric(expr.text) || expr.text == "abs";
    if (!looksLikeMetric) {
      reportUnknownAggregate(context_, expr);
      return std::nullopt;
    }
    if (expr.kind == Expr::Kind::Name && reportMeasure(context_, expr))
      return std::nullopt;
    if (!metric(expr, subject))
      return std::nullopt;
    const MetricInfo& info = model::info(subject.measure.metric);
    if (info.level == Level::Window)
      return subject;
    auto& found = context_.sink.report<diag::AggregateMissing>(expr.span, ticked(subject.name),
                                                               model::levelName(info.level));
    for (std::string_view name : {"mean", "p99", "max"})
      found.unsafeFix(fmt::format("bound its {}", name == "max"    ? "maximum"
                                                  : name == "mean" ? "mean"
                                                                   : "99th percentile"),
                      {{expr.span.start(), fmt::format("{}(", name)}, {expr.span.finish(), ")"}});
    return std::nullopt;
  }

  bool hasCondition(const Expr& rate, const Measure& measure) {
    if (measure.threshold || model::countsEvents(measure.metric))
      return true;
    const Expr& operand = rate.arguments[0];
    context_.sink
        .report<diag::RateWithoutCondition>(operand.span,
                                            ticked(context_.sources.text(operand.span)))
        .note(fmt::format("such as `rate({} > 2)`", context_.sources.text(operand.span)));
    return false;
  }

  bool isAveragedByResponse(const Expr& expr, const Subject& subject) {
    const MetricInfo& info = model::info(subject.measure.metric);
    if (model::isAveragedByResponse(info))
      return true;
    std::vector<std::string_view> names;
    for (const MetricInfo& each : model::metrics())
      if (model::isAveragedByResponse(each))
        names.push_back(each.symbol);
    context_.sink
        .report<diag::AggregateNotAllowed>(expr.nameSpan, ticked(expr.text), ticked(info.symbol))
        .note("it averages a value of single tokens over each response: " +
              joinAlternatives(names));
    return false;
  }

  bool isWeight(const Expr& expr, const Subject& subject) {
    const MetricInfo& info = model::info(subject.measure.metric);
    if (model::isWeight(info))
      return true;
    context_.sink
        .report<diag::AggregateNotAllowed>(expr.nameSpan, ticked(expr.text), ticked(info.symbol))
        .note("it applies to weights: ratios of tokens or of responses");
    return false;
  }

  /// Takes the aggregate's own arguments and returns what it aggregates.
  const Expr* applyAggregate(const Expr& call, const AggregateInfo& aggregate, Measure& measure) {
    measure.aggregate = aggregate.aggregate;
    std::size_t wanted = aggregate.name == "quantile" ? 2 : 1;
    if (call.arguments.size() != wanted) {
      context_.sink.report<diag::WrongArgumentCount>(call.span, ticked(call.text), wanted,
                                                     call.arguments.size());
      return nullptr;
    }
    if (aggregate.aggregate == Aggregate::Quantile && !quantileLevel(call, aggregate, measure))
      return nullptr;
    const Expr& operand = call.arguments[0];
    bool isCondition = operand.kind == Expr::Kind::And || operand.kind == Expr::Kind::Or ||
                       operand.kind == Expr::Kind::Not;
    if (aggregate.aggregate == Aggregate::Rate && isCondition) {
      reportManyConditions(call);
      return nullptr;
    }
    if (aggregate.aggregate == Aggregate::Rate && operand.kind == Expr::Kind::Compare) {
      measure.threshold = Threshold{operand.comparator, operand.arguments[1].quantity};
      if (operand.arguments[1].kind != Expr::Kind::Quantity) {
        context_.sink.report<diag::WrongArgument>(
            operand.arguments[1].span, "a number",
            ticked(context_.sources.text(operand.arguments[1].span)));
        return nullptr;
      }
      return &operand.arguments[0];
    }
    return &operand;
  }

  /// rate(ratio < 0.5 or ratio > 2)
  void reportManyConditions(const Expr& rate) {
    const Expr& operand = rate.arguments[0];
    auto& found = context_.sink.report<diag::WrongArgument>(
        operand.span, "one condition", ticked(context_.sources.text(operand.span)));
    found.note("a rate counts one condition; for the share of tokens whose ratio is outside a "
               "range, write `mean(clipped(low, high))`");
    auto isSide = [](const Expr& part, bool below) {
      return part.kind == Expr::Kind::Compare && part.arguments[0].text == "ratio" &&
             part.arguments[1].kind == Expr::Kind::Quantity &&
             (below ? isBelow(part.comparator) : isAbove(part.comparator));
    };
    if (operand.kind != Expr::Kind::Or || operand.arguments.size() != 2)
      return;
    const Expr &first = operand.arguments[0], &second = operand.arguments[1];
    bool isTurned = isSide(second, true);
    const Expr &low = isTurned ? second : first, &high = isTurned ? first : second;
    if (!isSide(low, true) || !isSide(high, false))
      return;
    auto text = [&](const Expr& part) { return context_.sources.text(part.arguments[1].span); };
    std::string better = fmt::format("mean(clipped({}, {}))", text(low), text(high));
    found.fix(fmt::format("write {}", better), {{rate.span, better}},
              isStrict(low.comparator) && isStrict(high.comparator));
  }

  bool quantileLevel(const Expr& call, const AggregateInfo& aggregate, Measure& measure) {
    if (!aggregate.level.empty()) {
      auto level = parseDecimal(aggregate.level);
      TIKC_CHECK(level, "the levels of aggregates are decimals");
      measure.level = std::move(*level);
      return true;
    }
    const Expr& level = call.arguments[1];
    if (level.kind != Expr::Kind::Quantity) {
      context_.sink.report<diag::WrongArgument>(level.span, "a level such as 0.9995",
                                                ticked(context_.sources.text(level.span)));
      return false;
    }
    if (!checkUnit(context_, level.quantity, Measured::None, "a quantile's level"))
      return false;
    measure.level = level.quantity.scaled();
    if (measure.level > 0 && measure.level < 1)
      return true;
    auto& found = context_.sink.report<diag::ShareOutOfRange>(
        level.span, "a quantile's level", ticked(context_.sources.text(level.span)));
    if (Rational share = measure.level / 100; measure.level > 1 && share < 1)
      found.unsafeFix(fmt::format("write {}", printRational(share)),
                      {{level.span, printRational(share)}});
    return false;
  }

  bool metric(const Expr& expr, Subject& subject, bool isInAbs = false) {
    if (expr.kind == Expr::Kind::Call && expr.text == "abs")
      return absolute(expr, subject);
    bool named = expr.kind == Expr::Kind::Name || expr.kind == Expr::Kind::Call;
    if (!named) {
      context_.sink.report<diag::WrongArgument>(expr.span, "a metric",
                                                ticked(context_.sources.text(expr.span)));
      return false;
    }
    const MetricInfo* info = model::findMetric(expr.text);
    if (!info) {
      if (model::findClaim(expr.text))
        reportNotMeasured(context_, expr);
      else
        reportUnknownMetric(context_, expr, isInAbs);
      return false;
    }
    subject.measure.metric = info->id;
    subject.measured = info->dimension;
    if (!metricParameters(expr, *info, subject.measure))
      return false;
    subject.domain = model::domainOf(subject.measure);
    return true;
  }

  bool absolute(const Expr& expr, Subject& subject) {
    if (expr.arguments.size() != 1) {
      context_.sink.report<diag::WrongArgumentCount>(expr.span, "`abs`", std::size_t{1},
                                                     expr.arguments.size());
      return false;
    }
    if (!metric(expr.arguments[0], subject, true))
      return false;
    if (subject.domain.low && *subject.domain.low >= 0)
      context_.sink
          .report<diag::AbsOfPositive>(expr.nameSpan,
                                       ticked(context_.sources.text(expr.arguments[0].span)))
          .fix("remove abs", {{{expr.span.file, expr.span.begin, expr.arguments[0].span.begin}, ""},
                              {{expr.span.file, expr.arguments[0].span.end, expr.span.end}, ""}});
    subject.measure.absolute = true;
    subject.domain = sizesOf(subject.domain);
    return true;
  }

  bool metricParameters(const Expr& expr, const MetricInfo& info, Measure& measure) {
    auto names = splitWords(info.parameters);
    if (expr.arguments.size() != names.size()) {
      context_.sink.report<diag::WrongArgumentCount>(expr.span, ticked(expr.text), names.size(),
                                                     expr.arguments.size());
      return false;
    }
    std::vector<const Expr*> given(names.size(), nullptr);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Expr& argument = expr.arguments[i];
      auto place = argument.keyword.text.empty()
                       ? names.begin() + static_cast<std::ptrdiff_t>(i)
                       : std::find(names.begin(), names.end(), argument.keyword.text);
      if (place == names.end()) {
        reportUnknown<diag::UnknownArgument>(context_, argument.keyword.text, argument.keyword.span,
                                             names);
        return false;
      }
      const Expr*& slot = given[static_cast<std::size_t>(place - names.begin())];
      if (slot) {
        context_.sink.report<diag::DuplicateArgument>(argument.span, ticked(*place))
            .relatedTo(slot->span, "first given here");
        return false;
      }
      slot = &argument;
      if (!ratio(argument))
        return false;
    }
    for (const Expr* argument : given)
      measure.parameters.push_back(argument->quantity.scaled());
    if (std::is_sorted(measure.parameters.begin(), measure.parameters.end(),
                       std::less_equal<Rational>()))
      return true;
    reportReversed(context_, given[0]->span, given[1]->span,
                   measure.parameters[0] == measure.parameters[1]);
    return false;
  }

  bool ratio(const Expr& argument) {
    std::string written = ticked(context_.sources.text(argument.span));
    if (argument.kind != Expr::Kind::Quantity) {
      context_.sink.report<diag::WrongArgument>(argument.span, "a ratio such as 0.5", written);
      return false;
    }
    if (!checkUnit(context_, argument.quantity, Measured::None, "a ratio"))
      return false;
    if (argument.quantity.value >= 0)
      return true;
    context_.sink.report<diag::ValueOutOfRange>(argument.span, "a ratio", written, "0 or more");
    return false;
  }

  bool claimQuantity(const Expr& expr, Subject& subject) {
    bool named = expr.kind == Expr::Kind::Name || expr.kind == Expr::Kind::Call;
    const ClaimInfo* info = named ? model::findClaim(expr.text) : nullptr;
    if (!info) {
      if (named && model::findMetric(expr.text))
        reportNotClaimed(context_, expr);
      else if (named)
        reportUnknownClaim(context_, expr);
      else
        context_.sink.report<diag::WrongArgument>(expr.span, "a quantity to claim",
                                                  ticked(context_.sources.text(expr.span)));
      return false;
    }
    if (expr.kind == Expr::Kind::Call) {
      context_.sink.report<diag::WrongArgumentCount>(expr.span, ticked(expr.text), std::size_t{0},
                                                     expr.arguments.size());
      return false;
    }
    subject.measure.claim = info->id;
    subject.measured = info->dimension;
    subject.domain = model::domainOf(info->range);
    bool bare = subject.measure.aggregate == Aggregate::None;
    if (bare && info->needsAggregate) {
      auto& found = context_.sink.report<diag::AggregateMissing>(expr.span, ticked(expr.text),
                                                                 model::levelName(info->level));
      for (std::string_view name : {"max", "p99"})
        found.unsafeFix(fmt::format("claim its {}", name == "max" ? "maximum" : "99th percentile"),
                        {{expr.span.start(), fmt::format("{}(", name)}, {expr.span.finish(), ")"}});
      return false;
    }
    bool ownAggregate = info->level != Level::Token || info->id == ClaimId::Ess;
    if (!bare && ownAggregate && !info->needsAggregate &&
        subject.measure.aggregate != Aggregate::Mean) {
      context_.sink
          .report<diag::AggregateNotAllowed>(subject.measure.span, ticked(subject.name),
                                             ticked(expr.text))
          .note(fmt::format("`{}` is one number for the whole population: claim it without an "
                            "aggregate",
                            info->symbol));
      return false;
    }
    return true;
  }

  FileContext& context_;
};
} // namespace

std::optional<Subject> typeClauseSubject(FileContext& context, const Expr& expr) {
  return SubjectTyper(context).clause(expr);
}

std::optional<Subject> typeClaimSubject(FileContext& context, const Expr& expr) {
  return SubjectTyper(context).claim(expr);
}

} // namespace tikc::sema
