#include "measure/ObservedClaims.h"

#include "bounds/prove/Conflicts.h"
#include "bounds/prove/WhatIf.h"
#include "lower/Numbers.h"
#include "model/Metrics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace tikc::measure {
namespace {

using model::Comparator;

/// Outward, past what sums of doubles may be off.
std::optional<Rational> outward(double value, bool isUp) {
  constexpr double slack = 1e-12;
  const double out = value + (isUp ? slack : -slack) * std::abs(value);
  if (!std::isfinite(out))
    return std::nullopt;
  return Rational(out);
}

/// In the unit of another amount, of which bits are no exact part.
model::Amount amountOf(const Rational& value, model::Amount like) {
  if (like.unit == model::Unit::Bit)
    like.unit = model::Unit::Nat;
  like.value = 1;
  like.value = value / like.scaled();
  return like;
}

/// What is broken is no ground for anything.
void withdraw(model::Contract& contract, const plan::Assumption& broken) {
  model::Assumptions& assumptions = contract.assumptions;
  switch (broken.subject) {
  case quantity::reward:
    return assumptions.reward.reset();
  case quantity::step_reward:
    return assumptions.stepReward.reset();
  case quantity::advantage:
    return assumptions.advantage.reset();
  case quantity::score_norm:
    return assumptions.scoreNorm.reset();
  case quantity::length:
    return contract.policy.horizon.reset();
  case quantity::ratio:
    return assumptions.ratioCap.reset();
  case quantity::missing_mass:
    return assumptions.support.reset();
  case quantity::unseen:
    return;
  }
}

/// Rows show each context whole, and tokens show it by a draw. Data of the one need not be of the
/// contexts of the other, so no bound is made of both.
enum class SeenKind : std::uint8_t { Rows, Tokens };

/// The contract with one claim, and with the far ends of intervals in the place of the limits that
/// the claim's proof rests on. Data have their own traffic, so slices have no declared weights.
class ObservedContract {
public:
  ObservedContract(const model::Contract& contract, const MeasuredPlan& measured,
                   const Measurement& measurement, std::size_t claim,
                   std::span<const std::string> asked)
      : contract_(contract), measured_(measured), of_(measurement), claim_(claim), asked_(asked) {
    for (std::size_t i = 0; i < measured.plan.assumptions.size(); ++i)
      if (measurement.assumed.assumptions[i].is == assumption_state::broken)
        withdraw(contract_, measured.plan.assumptions[i]);
    for (model::Slice& slice : contract_.slices) {
      slice.weight.reset();
      slice.tokenWeight.reset();
    }
    contract_.claims = {contract.claims[claim]};
  }

  struct Place {
    std::size_t check = 0, slice = 0;
    auto operator<=>(const Place&) const = default;
  };
  /// The contract that rests on what was observed of one kind, and of each of its bounds the place.
  struct ObservedFacts {
    model::Contract contract;
    std::vector<std::vector<Place>> places; // by clause
    bool isEmpty = true;
  };
  ObservedFacts of(SeenKind kind) const {
    ObservedFacts out{contract_, {}, true};
    const auto& planned = measured_.plan.clauses;
    for (model::Clause& clause : out.contract.clauses) {
      const auto at = std::find_if(planned.begin(), planned.end(), [&](const plan::Clause& each) {
        return each.id == clause.id.text;
      });
      std::vector<model::Bound> bounds = std::move(clause.bounds);
      clause.bounds.clear();
      out.places.emplace_back();
      for (std::size_t i = 0; i < bounds.size() && at != planned.end(); ++i)
        if (isAsked(at->id) && isOf(kind, measured_.plan.checks[at->checks[i]]))
          observe(out, clause, bounds[i], at->checks[i]);
    }
    return out;
  }

  bool isAsked(const std::string& clause) const {
    return asked_.empty() || std::find(asked_.begin(), asked_.end(), clause) != asked_.end();
  }

private:
  bool isOf(SeenKind kind, const plan::Check& check) const {
    const tikc::source source = plan::sourceOf(measured_.plan.signals[check.signal]);
    return kind == SeenKind::Rows ? source == source::rows
                                  : source == source::tokens || source == source::sequences;
  }

  void observe(ObservedFacts& out, model::Clause& clause, const model::Bound& comparison,
               std::size_t check) const {
    const auto& grounds = measured_.plan.claims[claim_].grounds;
    std::vector<std::pair<std::size_t, model::Bound>> seen;
    std::vector<std::size_t> empty;
    for (std::size_t i = 0; i < grounds.size(); ++i) {
      if (grounds[i].check != check)
        continue;
      const std::size_t slice = grounds[i].slice;
      if (auto bound = seenOf(comparison, i))
        seen.emplace_back(slice, std::move(*bound));
      else if (!measured_.plan.checks[check].onMixture && of_.came[slice] == 0)
        empty.push_back(slice);
    }
    for (const auto& [slice, bound] : seen)
      add(out, clause, bound, {check, slice});
    // Nothing is false of a slice without data: as if it were like the others.
    if (!seen.empty())
      for (std::size_t slice : empty)
        add(out, clause, loosest(seen), {check, slice});
  }

  void add(ObservedFacts& out, model::Clause& clause, model::Bound bound, Place at) const {
    if (!measured_.plan.checks[at.check].onMixture)
      bound.scope = {model::Scope::Kind::Named,
                     {{measured_.plan.slices[at.slice].name, bound.scope.span}},
                     bound.scope.span};
    clause.bounds.push_back(std::move(bound));
    out.places.back().push_back(at);
    out.isEmpty = false;
  }

  static model::Bound loosest(const std::vector<std::pair<std::size_t, model::Bound>>& of) {
    model::Bound out = of.front().second;
    for (const auto& [slice, bound] : of)
      out.limit.value = model::isBelow(out.comparator)
                            ? std::max(out.limit.value, bound.limit.value)
                            : std::min(out.limit.value, bound.limit.value);
    return out;
  }

  /// Nothing where no window ended, or where the clause has no interval.
  std::optional<model::Bound> seenOf(const model::Bound& bound, std::size_t ground) const {
    const plan::ProofCheck& at = measured_.plan.claims[claim_].grounds[ground];
    // A confidence is of the share beyond what is asked for, and of no other value.
    if (isOfOwnLimit(measured_.plan.checks[at.check]))
      return of_.records.of(at.check, at.slice).is() == verdict::satisfied ? std::optional(bound)
                                                                           : std::nullopt;
    const auto end = of_.ends.of(claim_, ground);
    if (!end || bound.limit.per)
      return std::nullopt;
    const bool isUpper = !model::isAbove(measured_.plan.checks[at.check].limits.back().comparator);
    const auto far = outward(*end, isUpper);
    if (!far)
      return std::nullopt;
    model::Bound out = bound;
    out.limit = amountOf(*far, bound.upper ? *bound.upper : bound.limit);
    out.upper.reset();
    out.comparator = isUpper ? Comparator::LessEqual : Comparator::GreaterEqual;
    return out;
  }

  model::Contract contract_;
  const MeasuredPlan& measured_;
  const Measurement& of_;
  std::size_t claim_;
  std::span<const std::string> asked_;
};

/// Whether a check is about each observation, and so about none but those.
bool isOfEach(const plan::Check& check) {
  return check.estimator == estimator::largest || check.estimator == estimator::smallest ||
         (check.estimator == estimator::nonzero && check.limits.front().bound == 0);
}

void addOnce(std::vector<std::string>& to, const std::string& name) {
  if (std::find(to.begin(), to.end(), name) == to.end())
    to.push_back(name);
}

/// What follows from what was observed of one kind.
class ObservedProof {
public:
  ObservedProof(ObservedContract::ObservedFacts posed, const MeasuredPlan& measured,
                const Measurement& measurement)
      : observed_(std::move(posed)), measured_(measured), of_(measurement),
        problem_(bounds::pose(observed_.contract, bounds::firstPrecision)) {
    const bounds::Problem asked = problem_;
    bounds::Engine engine(problem_);
    engine.run();
    for (const bounds::Goal& goal : problem_.goals)
      best_.push_back(goal.key ? engine.best(*goal.key, goal.place) : std::nullopt);
    isContradicted_ = !bounds::findConflicts(observed_.contract, asked, engine, problem_).empty();
  }

  struct SliceBound {
    ObservedBound bound;
    Rational exact;
  };
  /// Of a comparison of the claim, on each of the slices that it is about and that came; nothing
  /// where no clause bounds one.
  std::vector<std::optional<SliceBound>> of(std::size_t comparison, bool isLower) const {
    std::vector<std::optional<SliceBound>> out;
    for (std::size_t i = 0; i < problem_.goals.size(); ++i) {
      const bounds::Goal& goal = problem_.goals[i];
      if (goal.bound == comparison && goal.lower == isLower && hasData(i))
        out.push_back(best_[i] && !isContradicted_ ? found(i) : std::nullopt);
    }
    return out;
  }

private:
  const bounds::Problem::Slice& sliceOf(std::size_t goal) const {
    return problem_.slices[problem_.goals[goal].place.slice];
  }
  /// Whether anything came of the slice that a goal is about.
  bool hasData(std::size_t goal) const {
    const bounds::Problem::Slice& scope = sliceOf(goal);
    const auto& slices = measured_.plan.slices;
    const auto at = std::find_if(slices.begin(), slices.end(),
                                 [&](const plan::Slice& each) { return each.name == scope.name; });
    return scope.isMixture || at == slices.end() ||
           of_.came[static_cast<std::size_t>(at - slices.begin())] != 0;
  }
  std::optional<SliceBound> found(std::size_t goal) const {
    SliceBound out;
    out.exact = problem_.facts[*best_[goal]].bound;
    out.bound.isLower = problem_.goals[goal].lower;
    out.bound.slice = sliceOf(goal).name;
    out.bound.isBeyond = !bounds::meets(problem_.goals[goal], problem_.facts[*best_[goal]]);
    for (bounds::FactId id : bounds::inputsOf(problem_.facts, *best_[goal])) {
      const auto& origin = problem_.facts[id].origin;
      if (!origin->stated)
        continue;
      const ObservedContract::Place& place =
          observed_.places[origin->stated->clause][origin->stated->bound];
      out.bound.unjudged =
          std::max(out.bound.unjudged, of_.records.of(place.check, place.slice).open);
      addOnce(out.bound.from, origin->name);
    }
    if (out.bound.from.empty())
      return std::nullopt;
    return out;
  }

  ObservedContract::ObservedFacts observed_;
  const MeasuredPlan& measured_;
  const Measurement& of_;
  bounds::Problem problem_;
  std::vector<std::optional<bounds::FactId>> best_; // by goal
  bool isContradicted_ = false;
};

using SliceBound = ObservedProof::SliceBound;

/// A bound on all contexts that either is about.
SliceBound worse(SliceBound a, SliceBound b) {
  const bool isFirst = a.bound.isLower ? a.exact < b.exact : a.exact > b.exact;
  SliceBound out = std::move(isFirst ? a : b);
  const SliceBound& other = isFirst ? b : a;
  for (const std::string& each : other.bound.from)
    addOnce(out.bound.from, each);
  out.bound.unjudged = std::max(out.bound.unjudged, other.bound.unjudged);
  return out;
}

/// What every value of the quantity meets.
bool isNothing(const model::Measure& measure, const Rational& bound, bool isLower) {
  const auto& range = model::info(measure.claim).range;
  const auto end = parseDecimal(isLower ? range.low : range.high);
  return end && (isLower ? bound <= *end : bound >= *end);
}

/// The least double that is not below it, or the largest that is not above.
double toldAs(const Rational& exact, double unit, bool isLower) {
  const double out = lower::nearest(exact) / unit;
  const bool isExact = Rational(out) * Rational(unit) == exact;
  return isExact ? out : std::nextafter(out, isLower ? -HUGE_VAL : HUGE_VAL);
}

/// Of one claim.
class ObservedClaim {
public:
  ObservedClaim(const model::Contract& contract, const MeasuredPlan& measured,
                const Measurement& measurement, std::size_t claim,
                std::span<const std::string> asked)
      : claim_(contract.claims[claim]), measured_(measured), of_(measurement), at_(claim) {
    const ObservedContract observed(contract, measured, measurement, claim, asked);
    if (!measurement.intake.otherSettings.empty()) {
      why_ = "the data were made with other settings";
      return;
    }
    const bool isFalse = areLogsDisproved(measured, measurement);
    for (SeenKind kind : {SeenKind::Rows, SeenKind::Tokens})
      if (auto posed = observed.of(kind); !posed.isEmpty && !(isFalse && kind == SeenKind::Tokens))
        proofs_.emplace_back(std::move(posed), measured, measurement);
    why_ = isFalse
               ? "the log-probs are not those of the distribution that the tokens were sampled from"
               : whyNone(observed);
  }

  std::vector<ObservedBound> bounds() const {
    std::vector<ObservedBound> out;
    for (std::size_t i = 0; i < claim_.bounds.size(); ++i) {
      const model::Bound& bound = claim_.bounds[i];
      const bool isBetween = bound.upper.has_value() || bound.comparator == Comparator::Equal;
      for (bool isLower : {false, true})
        if (isBetween || isLower == model::isAbove(bound.comparator))
          out.push_back(boundOf(i, isLower));
    }
    return out;
  }

private:
  ObservedBound boundOf(std::size_t comparison, bool isLower) const {
    const model::Bound& bound = claim_.bounds[comparison];
    const std::string unit(model::info(bound.limit.unit).symbol);
    const double confidence = of_.ends.confidence(at_);
    constexpr double leastConfidence = 0.5;
    auto worst = worstOf(comparison, isLower);
    if (!worst || isNothing(bound.measure, worst->exact, isLower) || confidence < leastConfidence)
      return {isLower, std::nullopt, unit, "*", std::nullopt, {}, 0, false, why_};
    worst->bound.unit = unit;
    worst->bound.bound = toldAs(worst->exact, lower::unitOf(bound.limit), isLower);
    worst->bound.confidence = confidence;
    return std::move(worst->bound);
  }

  /// Nothing where a slice that came has no bound.
  std::optional<SliceBound> worstOf(std::size_t comparison, bool isLower) const {
    std::vector<std::optional<SliceBound>> bySlice;
    for (const ObservedProof& proof : proofs_) {
      std::vector<std::optional<SliceBound>> found = proof.of(comparison, isLower);
      bySlice.resize(found.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        join(bySlice[i], std::move(found[i]));
    }
    std::optional<SliceBound> out;
    for (std::optional<SliceBound>& each : bySlice) {
      if (!each)
        return std::nullopt;
      join(out, std::move(each));
    }
    return out;
  }
  static void join(std::optional<SliceBound>& to, std::optional<SliceBound> other) {
    if (to && other)
      to = worse(std::move(*to), std::move(*other));
    else if (other)
      to = std::move(other);
  }

  /// The clauses of the proof that have no interval, if any.
  std::string whyNone(const ObservedContract& observed) const {
    std::vector<std::string> out;
    bool areOfEach = true;
    for (const plan::Clause& clause : measured_.plan.clauses)
      for (const plan::ProofCheck& at : measured_.plan.claims[at_].grounds) {
        const plan::Check& check = measured_.plan.checks[at.check];
        if (observed.isAsked(clause.id) && !hasInterval(check) && !isOfOwnLimit(check) &&
            std::find(clause.checks.begin(), clause.checks.end(), at.check) !=
                clause.checks.end()) {
          out.push_back(clause.id);
          areOfEach = areOfEach && isOfEach(check);
          break;
        }
      }
    if (out.empty())
      return "no bound follows from the observations";
    const std::string names = fmt::format("{}", fmt::join(out, ", "));
    return areOfEach
               ? fmt::format("holds of what was observed; unseen observations may break {}", names)
               : fmt::format("no interval for {}", names);
  }

  const model::Claim& claim_;
  const MeasuredPlan& measured_;
  const Measurement& of_;
  std::size_t at_;
  std::vector<ObservedProof> proofs_;
  std::string why_;
};

} // namespace

std::vector<std::vector<ObservedBound>> observedClaimsOf(const model::Contract& contract,
                                                         const MeasuredPlan& measured,
                                                         const Measurement& measurement,
                                                         std::span<const std::string> asked) {
  std::vector<std::vector<ObservedBound>> out;
  for (std::size_t claim = 0; claim < contract.claims.size(); ++claim)
    out.push_back(ObservedClaim(contract, measured, measurement, claim, asked).bounds());
  return out;
}

} // namespace tikc::measure
