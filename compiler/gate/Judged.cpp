#include "gate/Judged.h"

#include "gate/WholeEvidence.h"
#include "measure/Measurement.h"
#include "measure/Rows.h"
#include "support/Utf8.h"
#include "tikc/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::gate {
namespace {

using engine::LoadedPlan;

constexpr double noEnd = std::numeric_limits<double>::infinity();

/// Estimators of what will be served, and not of a window alone.
bool isMean(estimator how) {
  return how == estimator::mean || how == estimator::root_mean_square || how == estimator::share ||
         how == estimator::quantile;
}

/// What no more data can mend, and none are needed for.
bool isOfEach(const check& criterion) {
  return criterion.how == estimator::largest || criterion.how == estimator::smallest ||
         (criterion.how == estimator::nonzero && criterion.limits[0].bound == 0);
}

double square(double x) { return x * x; }

/// Judges one check on one slice.
class RowJudge {
public:
  RowJudge(const measure::MeasuredPlan& subject, const model::Contract& contract,
           const WholeEvidence& whole, const Terms& terms, double alpha)
      : subject_(subject), contract_(contract), whole_(whole), terms_(terms), alpha_(alpha) {}

  GateRow row(std::size_t clause, std::size_t check, std::size_t slice) {
    of_ = &subject_.loaded.checks[check];
    planned_ = &subject_.plan.checks[check];
    signal_ = &subject_.loaded.signal_table[of_->signal];
    slice_ = slice;
    place_ = of_->on_mixture ? subject_.loaded.slices : slice;
    const measure::Row blank = measure::blankRow(subject_, clause, check, slice);
    out_ = GateRow();
    out_.clause = blank.clause;
    out_.says = blank.says;
    out_.slice = blank.slice;
    out_.unit = unit_ = blank.unit;
    const kept<LoadedPlan>& from = whole_.at(place_);
    found_ = tikc::judge<LoadedPlan>(*of_, from, true)();
    out_.observations = found_.observations;
    const comparator how = of_->limits[of_->limit_count - 1].how;
    out_.isUpper = of_->how == estimator::quantile || is_upper(how);
    if (std::string why = measure::whyOfAnotherPair(subject_, *planned_); !why.empty())
      out_.why = why;
    else if (found_.observations == 0)
      nothing();
    else if (of_->how == estimator::coherence)
      asFound(ReasonId::Incoherent, "a drift of 3% would not have been detected yet");
    else if (isOfEach(*of_))
      ofEach();
    else if (isMean(of_->how))
      mean();
    else
      out_.why = "it is a value of a window, which gives no interval for future traffic";
    return std::move(out_);
  }

private:
  void asFound(ReasonId fault, std::string_view why) {
    out_.outcome = found_.is;
    show(found_.value, found_.low, found_.high, planned_->unit);
    out_.bound = measure::nearestBound(*planned_, found_.value);
    if (found_.is == verdict::violated)
      out_.fault = fault;
    else if (found_.is != verdict::satisfied)
      out_.why = why;
  }

  void show(double value, double low, double high, double unit) {
    auto known = [&](double at) {
      return std::isnan(at) ? std::nullopt : std::optional(at / unit);
    };
    out_.value = known(value);
    out_.low = known(low);
    out_.high = known(high);
  }

  bool hasUnknown() const { return whole_.at(place_).unknown(of_->signal) != 0; }

  /// None of them is beyond; what that supports is told of responses.
  void ofEach() {
    asFound(hasUnknown() ? ReasonId::NotANumber : ReasonId::Violated, "too few observations");
    const measure::UnitSums sums = whole_.sums(of_->keepers[0], place_);
    out_.units = sums.units;
    out_.basis = "the worst observation";
    if (out_.outcome != verdict::satisfied || sums.units == 0)
      return;
    measure::UnitSums none;
    none.units = sums.units;
    none.sizes = none.sizeSquares = static_cast<double>(sums.units);
    const auto shared = sharedOf();
    if (shared)
      out_.basis += fmt::format(
          "; at most {:.3g}% of all responses have a worse one",
          100 * MeanEvidence(MeanEvidence::ofMeans(none), {0, 1}, 1, *shared).limits(alpha_).high);
  }

  /// Nothing where rows are not known to be of responses.
  std::optional<double> sharedOf() const {
    if (signal_->from != source::rows)
      return terms_.shared;
    return terms_.rowsOfOne ? std::optional(terms_.shared * *terms_.rowsOfOne) : std::nullopt;
  }

  std::size_t keeperOf(std::size_t limit) const {
    return of_->how == estimator::quantile ? of_->keepers[limit] : of_->keepers[0];
  }
  /// What a mean is asked to be; of a quantile the share beyond its limit.
  limit askedOf(std::size_t which) const {
    const limit& at = of_->limits[which];
    const double level =
        static_cast<double>(of_->level.part) / static_cast<double>(of_->level.whole);
    if (of_->how == estimator::quantile)
      return {comparator::at_most, is_upper(at.how) ? 1 - level : level};
    return {at.how, of_->how == estimator::root_mean_square ? square(at.bound) : at.bound};
  }

  ValueEnds extentOf(std::string& value) const {
    if (of_->how == estimator::share || of_->how == estimator::quantile)
      return {0, 1};
    const bool isSquared = of_->how == estimator::root_mean_square;
    if (planned_->low && planned_->high)
      return {*planned_->low, *planned_->high};
    const ends can = detail::extent_of(*signal_);
    ValueEnds out{can.low, can.high};
    double size = noEnd;
    if (const auto range = terms_.ranges.find(out_.clause); range != terms_.ranges.end()) {
      size = range->second * planned_->unit;
      value = fmt::format("no observation is further from 0 than {:.6g}{}", range->second,
                          out_.unit.empty() ? "" : " " + out_.unit);
    }
    if (size == noEnd)
      size = promised(value);
    if (size < noEnd)
      out = {std::max(out.low, -size), std::min(out.high, size)};
    if (isSquared)
      out = {0, square(std::max(std::abs(out.low), std::abs(out.high)))};
    return out;
  }

  /// A clause of the contract that says of each observation how large it may be.
  double promised(std::string& value) const {
    for (std::size_t clause = 0; clause < subject_.loaded.clauses.size(); ++clause) {
      const tikc::clause& at = subject_.loaded.clauses[clause];
      for (std::size_t i = at.first; i < at.first + std::size_t{at.count}; ++i) {
        const check& other = subject_.loaded.checks[i];
        const bool isHere =
            other.on_mixture || (!of_->on_mixture && subject_.loaded.binds[i][slice_]);
        const bool isSize = detail::extent_of(*signal_).low >= 0;
        if (other.how != estimator::largest || other.signal != of_->signal || !isHere || !isSize ||
            !is_upper(other.limits[other.limit_count - 1].how))
          continue;
        value = fmt::format("no observation exceeds the limit of {}", at.id);
        return other.limits[other.limit_count - 1].bound;
      }
    }
    return noEnd;
  }

  /// Responses are no longer, where the contract says so: then tokens count alike.
  double longest() const {
    if (signal_->from != source::tokens)
      return 1;
    const auto& horizon = contract_.policy.horizon;
    return horizon ? horizon->scaled().get_d() : 0;
  }

  void nothing() {
    out_.why = "no observations";
    std::string value;
    const auto shared = sharedOf();
    if (!isMean(of_->how) || !shared)
      return;
    const ValueEnds extent = extentOf(value);
    for (std::size_t i = 0; i < of_->limit_count; ++i)
      if (const limit bound = askedOf(i);
          is_upper(bound.how) && std::isfinite(extent.low) && std::isfinite(extent.high))
        out_.needed = fewestBelow(bound.bound, extent, *shared, alpha());
  }

  double alpha() const { return of_->alpha > 0 ? std::min(alpha_, of_->alpha) : alpha_; }

  /// What keeps sums from being of responses.
  std::string whyNoSums(const measure::UnitSums& sums) const {
    const double observations = static_cast<double>(found_.observations);
    if (sums.units == 0)
      return "the evidence does not keep which observations belong to one response, as evidence of "
             "recorded data does";
    if (sums.sizes != observations)
      return fmt::format("{:.0f} of {:.0f} observations are not kept by response",
                         observations - sums.sizes, observations);
    if (!sharedOf())
      return "rows of one response are not independent; state their maximum with "
             "--rows-per-response";
    if (longest() != 0 && sums.longest > longest())
      return fmt::format("a response has {:.0f} tokens, but the contract's horizon is {:.0f}",
                         sums.longest, longest());
    return {};
  }

  void mean() {
    std::string value;
    const ValueEnds extent = extentOf(value);
    out_.outcome = verdict::satisfied;
    out_.premise = value;
    for (std::size_t i = 0; i < of_->limit_count; ++i) {
      const measure::UnitSums sums = whole_.sums(keeperOf(i), place_);
      out_.units = sums.units;
      if (sums.numberless != 0) {
        out_.outcome = verdict::violated;
        out_.fault = ReasonId::NotANumber;
        out_.why.clear();
        return;
      }
      if (std::string why = whyNoSums(sums); !why.empty()) {
        undecided(std::move(why));
        continue;
      }
      if (const auto beyond = contradiction(extent); !value.empty() && beyond) {
        undecided(fmt::format("observed {:.6g}, but it is assumed that {}", *beyond, value));
        continue;
      }
      side(askedOf(i), sums, extent);
      if (out_.outcome == verdict::violated)
        return;
    }
    if (longest() == 0 && out_.outcome == verdict::satisfied && found_.is != verdict::satisfied)
      undecided(
          fmt::format("over all observations it is {:.4g}{}, which does not satisfy the bound: "
                      "without a horizon each response counts alike, and long ones are worse",
                      found_.value / planned_->unit, unit_.empty() ? "" : " " + unit_));
  }

  /// What came that a range has no room for.
  std::optional<double> contradiction(ValueEnds extent) const {
    if (found_.worst.count == 0)
      return std::nullopt;
    const double worst = found_.worst.each[0].value;
    return worst >= extent.low && worst <= extent.high ? std::nullopt
                                                       : std::optional(worst / planned_->unit);
  }

  void undecided(std::string why) {
    out_.outcome = verdict::undecided;
    out_.why = std::move(why);
  }

  void side(limit bound, const measure::UnitSums& sums, ValueEnds extent) {
    const bool isShare = of_->how == estimator::quantile;
    const double unit = isShare                                   ? 1
                        : of_->how == estimator::root_mean_square ? square(planned_->unit)
                                                                  : planned_->unit;
    const MeanReading reading{extent, bound.bound, longest(), *sharedOf(), alpha(), unit};
    const MeanEvidence fresh = reading.of(sums);
    const double needed = -std::log(alpha());
    const bool isBelow = fresh.againstAtLeast(bound.bound) >= needed;
    const bool isAbove = fresh.againstAtMost(bound.bound) >= needed;
    const bool isUpper = is_upper(bound.how);
    const bool isEither = bound.how == comparator::equal || bound.how == comparator::not_equal;
    const bool keeps = !isEither && (isUpper ? isBelow : isAbove);
    const bool breaks = isEither ? isBelow || isAbove : isUpper ? isAbove : isBelow;
    if (out_.outcome == verdict::undecided && !breaks)
      return; // what the other side lacks is told
    const ValueEnds at = fresh.limits(alpha());
    out_.sums = sums;
    out_.reading = reading;
    out_.isUpper = isUpper;
    out_.basis = wordsOf(isShare);
    out_.bound = bound.bound / unit;
    out_.isShare = isShare;
    if (isShare)
      out_.unit.clear();
    show(fresh.value(), at.low, at.high, unit);
    if (keeps)
      return;
    if (breaks) {
      out_.outcome = verdict::violated;
      out_.fault = ReasonId::Violated;
      out_.why.clear();
      return;
    }
    out_.needed = isUpper ? fresh.unitsToShowBelow(bound.bound, alpha())
                          : fresh.unitsToShowAbove(bound.bound, alpha());
    if (!isEither)
      out_.fewest =
          isUpper ? fewestBelow(bound.bound, extent, *sharedOf(), alpha())
                  : fewestBelow(-bound.bound, {-extent.high, -extent.low}, *sharedOf(), alpha());
    undecided(whyNeither(isUpper ? extent.high : extent.low));
  }

  std::string whyNeither(double end) const {
    if (std::isinf(end))
      return "its values have no known range, so its mean has no interval; state a maximum with "
             "--range or a clause";
    return out_.needed ? fmt::format("the bound is within its interval; {:.0f} more responses like "
                                     "these would show that it is satisfied",
                                     *out_.needed - static_cast<double>(out_.units))
                       : "the bound is within its interval, and more such data would not show that "
                         "it is satisfied";
  }

  std::string wordsOf(bool isShare) const {
    const std::string_view what = isShare ? "the share beyond the bound" : "the mean";
    if (signal_->from == source::tokens)
      return longest() != 0
                 ? fmt::format("{} of tokens, in responses of at most {:.0f}", what, longest())
                 : fmt::format("{} of a response's tokens, over responses", what);
    return fmt::format("{} of {}", what, signal_->from == source::rows ? "rows" : "responses");
  }

  const measure::MeasuredPlan& subject_;
  const model::Contract& contract_;
  const WholeEvidence& whole_;
  const Terms& terms_;
  double alpha_;
  const check* of_ = nullptr;
  const plan::Check* planned_ = nullptr;
  const signal* signal_ = nullptr;
  std::size_t slice_ = 0, place_ = 0;
  finding found_;
  std::string unit_; // the author's, of the clause
  GateRow out_;
};

} // namespace

llvm::Expected<Judgement> judgedOf(const measure::MeasuredPlan& subject,
                                   const model::Contract& contract,
                                   const measure::Evidence& evidence, const Terms& terms) {
  WholeEvidence whole(subject);
  if (auto error = whole.read(evidence))
    return error;
  Judgement out;
  out.tokens = whole.tokens;
  out.responses = whole.responses;
  out.first = whole.first;
  out.last = whole.last;
  out.isUndated = whole.isUndated;
  std::size_t statements = 0;
  measure::eachAsked(subject, {}, [&](std::size_t, std::size_t check, std::size_t) {
    statements += subject.loaded.checks[check].limit_count;
  });
  out.alpha = terms.alpha / static_cast<double>(std::max<std::size_t>(statements, 1));
  RowJudge judge(subject, contract, whole, terms, out.alpha);
  measure::eachAsked(subject, {}, [&](std::size_t clause, std::size_t check, std::size_t slice) {
    GateRow row = judge.row(clause, check, slice);
    const bool isEmpty = !subject.loaded.checks[check].on_mixture && subject.loaded.is_empty[slice];
    if (!isEmpty || row.observations != 0)
      out.rows.push_back(std::move(row));
  });
  for (std::size_t i = 0; i < subject.plan.clauses.size(); ++i)
    if (measure::isOfSampling(subject.plan, i))
      out.unasked.push_back(subject.plan.clauses[i].id);
  return out;
}

} // namespace tikc::gate
