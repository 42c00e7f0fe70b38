#include "measure/ObservedClaims.h"

#include "bounds/prove/Conflicts.h"
#include "bounds/prove/WhatIf.h"
#include "lower/Numbers.h"
#include "metrics/Metrics.h"

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
  model::Assumptions& given = contract.assumptions;
  switch (broken.of) {
  case plan::Watchable::Reward:
    return given.reward.reset();
  case plan::Watchable::StepReward:
    return given.stepReward.reset();
  case plan::Watchable::Advantage:
    return given.advantage.reset();
  case plan::Watchable::ScoreNorm:
    return given.scoreNorm.reset();
  case plan::Watchable::Length:
    return contract.policy.horizon.reset();
  case plan::Watchable::Ratio:
    return given.ratioCap.reset();
  case plan::Watchable::MissingMass:
    return given.support.reset();
  case plan::Watchable::Unseen:
    return;
  }
}

/// What is said of each context whole, and what is said of it by a token that was drawn there. Data
/// of the one need not be of the contexts of the other, so nothing is made of both.
enum class SeenKind : std::uint8_t { Rows, Tokens };

struct ObservedGrounds {
  SeenKind seen{};
  bool isConfident = false; // of clauses that state a confidence alone
  std::span<const std::string> asked;
};

/// Whether its log-probs are not those that the tokens were drawn with.
bool isDisproved(const MeasuredPlan& measured, const Measurement& of) {
  for (std::size_t check = 0; check < measured.plan.checks.size(); ++check)
    for (std::size_t slice = 0; slice < measured.plan.slices.size(); ++slice)
      if (measured.plan.checks[check].estimator == plan::Estimator::Coherence &&
          of.records.of(check, slice).violated != 0)
        return true;
  return false;
}

/// A contract that says what was observed in the place of what it asks for. Which part of the
/// traffic a slice is it does not say: data have their own.
class ObservedContract {
public:
  ObservedContract(const model::Contract& contract, const MeasuredPlan& measured,
                   const Measurement& of, const ObservedGrounds& grounds)
      : contract(contract), measured_(measured), of_(of), grounds_(grounds) {
    for (std::size_t i = 0; i < measured.plan.assumptions.size(); ++i)
      if (of.assumed.assumptions[i].is == assumption_state::broken)
        withdraw(this->contract, measured.plan.assumptions[i]);
    for (model::Slice& slice : this->contract.slices) {
      slice.weight.reset();
      slice.tokenWeight.reset();
    }
    const auto& planned = measured.plan.clauses;
    for (model::Clause& clause : this->contract.clauses) {
      const auto at = std::find_if(planned.begin(), planned.end(), [&](const plan::Clause& each) {
        return each.id == clause.id.text;
      });
      std::vector<model::Bound> bounds = std::move(clause.bounds);
      clause.bounds.clear();
      stated_.emplace_back();
      for (std::size_t i = 0; i < bounds.size() && at != planned.end(); ++i)
        if (isGround(clause, measured.plan.checks[at->checks[i]]))
          observe(clause, bounds[i], at->checks[i]);
    }
  }

  /// What was observed, in the place of a clause's comparison.
  struct Place {
    std::size_t check = 0, slice = 0;
    auto operator<=>(const Place&) const = default;
  };
  const Place& placeOf(const bounds::ClauseBound& at) const { return stated_[at.clause][at.bound]; }
  /// The chance that something of what may bound a slice, or all of them, is not so: which of it
  /// bounds best is only known after a look.
  double failureOn(std::optional<std::size_t> slice) const {
    double out = 0;
    for (const std::vector<Place>& clause : stated_)
      for (const Place& each : clause) {
        const plan::Check& check = measured_.plan.checks[each.check];
        if (!slice || check.onMixture || each.slice == *slice)
          out += check.alpha.value_or(1);
      }
    return out;
  }

  model::Contract contract;

private:
  bool isGround(const model::Clause& clause, const plan::Check& check) const {
    if (clause.directive || (grounds_.isConfident && !check.alpha))
      return false;
    if (!grounds_.asked.empty() && std::find(grounds_.asked.begin(), grounds_.asked.end(),
                                             clause.id.text) == grounds_.asked.end())
      return false;
    using plan::StreamSource;
    const StreamSource source = plan::sourceOf(measured_.plan.signals[check.signal]);
    if (grounds_.seen == SeenKind::Rows)
      return source == StreamSource::Rows;
    // The largest of what was drawn is none of what could have been.
    return (source == StreamSource::Tokens || source == StreamSource::Sequences) &&
           check.estimator != plan::Estimator::Largest &&
           check.estimator != plan::Estimator::Smallest;
  }

  void observe(model::Clause& clause, const model::Bound& asked, std::size_t check) {
    const plan::Check& planned = measured_.plan.checks[check];
    std::vector<std::pair<std::size_t, model::Bound>> seen;
    std::vector<std::size_t> empty;
    for (std::size_t slice = 0; slice < measured_.plan.slices.size(); ++slice) {
      if (planned.onMixture ? slice != 0 : measured_.loaded.binds[check][slice] == 0)
        continue;
      if (auto bound = seenOf(asked, planned, of_.records.of(check, slice)))
        seen.emplace_back(slice, std::move(*bound));
      else if (!planned.onMixture && of_.came[slice] == 0)
        empty.push_back(slice);
    }
    for (const auto& [slice, bound] : seen)
      add(clause, bound, check, slice);
    // Nothing is false of what did not come: as if it were like what did.
    if (!seen.empty())
      for (std::size_t slice : empty)
        add(clause, loosest(seen), check, slice);
  }

  void add(model::Clause& clause, model::Bound bound, std::size_t check, std::size_t slice) {
    if (!measured_.plan.checks[check].onMixture)
      bound.scope = {model::Scope::Kind::Named,
                     {{measured_.plan.slices[slice].name, bound.scope.span}},
                     bound.scope.span};
    clause.bounds.push_back(std::move(bound));
    stated_.back().push_back({check, slice});
  }

  static model::Bound loosest(const std::vector<std::pair<std::size_t, model::Bound>>& of) {
    model::Bound out = of.front().second;
    for (const auto& [slice, bound] : of) {
      if (out.upper) {
        out.limit.value = std::min(out.limit.value, bound.limit.value);
        out.upper->value = std::max(out.upper->value, bound.upper->value);
      } else {
        out.limit.value = model::isBelow(out.comparator)
                              ? std::max(out.limit.value, bound.limit.value)
                              : std::min(out.limit.value, bound.limit.value);
      }
    }
    return out;
  }

  /// Nothing where no window ended, or where the data leave no limit.
  static std::optional<model::Bound> seenOf(const model::Bound& asked, const plan::Check& planned,
                                            const CheckRecord& found) {
    if (found.windows() == 0 || asked.limit.per)
      return std::nullopt;
    // A confidence is of the share beyond what is asked for, and of no other value.
    if (planned.estimator == plan::Estimator::Quantile && planned.alpha)
      return found.is() == verdict::satisfied ? std::optional(asked) : std::nullopt;
    const auto low = outward(found.lowest, false), high = outward(found.highest, true);
    model::Bound out = asked;
    if (asked.upper) {
      if (!low || !high)
        return std::nullopt;
      out.limit = amountOf(*low, asked.limit);
      out.upper = amountOf(*high, *asked.upper);
      return out;
    }
    const bool isUpper = model::isBelow(asked.comparator);
    if (!isUpper && !model::isAbove(asked.comparator))
      return found.is() == verdict::satisfied ? std::optional(asked) : std::nullopt;
    if (isUpper ? !high : !low)
      return std::nullopt;
    out.comparator = isUpper ? Comparator::LessEqual : Comparator::GreaterEqual;
    out.limit = amountOf(isUpper ? *high : *low, asked.limit);
    return out;
  }

  const MeasuredPlan& measured_;
  const Measurement& of_;
  ObservedGrounds grounds_;
  std::vector<std::vector<Place>> stated_; // by clause, as its bounds are now
};

/// What follows from what was observed of one kind.
class ObservedProof {
public:
  ObservedProof(const model::Contract& contract, const MeasuredPlan& measured,
                const Measurement& of, const ObservedGrounds& grounds)
      : observed_(contract, measured, of, grounds), measured_(measured), of_(of),
        problem_(bounds::pose(observed_.contract, bounds::firstPrecision)) {
    const bounds::Problem posed = problem_;
    bounds::Engine engine(problem_);
    engine.run();
    for (const bounds::Goal& goal : problem_.goals)
      best_.push_back(goal.key ? engine.best(*goal.key, goal.place) : std::nullopt);
    isContradicted_ = !bounds::findConflicts(observed_.contract, posed, engine, problem_).empty();
  }

  struct Found {
    ObservedBound bound;
    Rational exact;
    double failure = 0;
  };
  /// Of a comparison of a claim, the worst of its slices; nothing where one of them has no bound,
  /// or where no clause is needed for it.
  std::optional<Found> of(std::size_t claim, std::size_t comparison, bool isLower) const {
    const std::vector<std::size_t> goals = goalsOf(claim, comparison, isLower);
    if (goals.empty() || isContradicted_)
      return std::nullopt;
    for (std::size_t each : goals)
      if (!best_[each])
        return std::nullopt;
    const std::size_t worst =
        *std::max_element(goals.begin(), goals.end(), [&](std::size_t a, std::size_t b) {
          return isLower ? boundOf(a) > boundOf(b) : boundOf(a) < boundOf(b);
        });
    Found out;
    out.exact = boundOf(worst);
    out.bound.isLower = isLower;
    out.bound.slice = sliceOf(worst).name;
    out.bound.isBeyond = !bounds::meets(problem_.goals[worst], problem_.facts[*best_[worst]]);
    addGrounds(out, goals);
    if (out.bound.from.empty())
      return std::nullopt;
    return out;
  }
  bool asks(std::size_t claim, std::size_t comparison, bool isLower) const {
    return !goalsOf(claim, comparison, isLower).empty();
  }

private:
  const Rational& boundOf(std::size_t goal) const { return problem_.facts[*best_[goal]].bound; }
  const bounds::Problem::Slice& sliceOf(std::size_t goal) const {
    return problem_.slices[problem_.goals[goal].place.slice];
  }
  /// By its number in the plan; none of the mixture.
  std::optional<std::size_t> plannedSlice(std::size_t goal) const {
    const bounds::Problem::Slice& of = sliceOf(goal);
    const auto& slices = measured_.plan.slices;
    const auto at = std::find_if(slices.begin(), slices.end(),
                                 [&](const plan::Slice& each) { return each.name == of.name; });
    if (of.isMixture || at == slices.end())
      return std::nullopt;
    return static_cast<std::size_t>(at - slices.begin());
  }

  /// But for slices of which nothing came.
  std::vector<std::size_t> goalsOf(std::size_t claim, std::size_t comparison, bool isLower) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < problem_.goals.size(); ++i) {
      const bounds::Goal& goal = problem_.goals[i];
      const auto slice = plannedSlice(i);
      if (goal.claim == claim && goal.bound == comparison && goal.lower == isLower &&
          (!slice || of_.came[*slice] != 0))
        out.push_back(i);
    }
    return out;
  }

  /// Of all slices, as the worst of them is a bound on each only if all of that holds.
  void addGrounds(Found& out, const std::vector<std::size_t>& goals) const {
    std::set<ObservedContract::Place> used;
    for (std::size_t goal : goals) {
      out.failure += observed_.failureOn(plannedSlice(goal));
      for (bounds::FactId id : bounds::inputsOf(problem_.facts, *best_[goal])) {
        const auto& origin = problem_.facts[id].origin;
        if (!origin->stated)
          continue;
        const ObservedContract::Place place = observed_.placeOf(*origin->stated);
        if (!used.insert(place).second)
          continue;
        out.bound.unjudged =
            std::max(out.bound.unjudged, of_.records.of(place.check, place.slice).open);
        if (std::find(out.bound.from.begin(), out.bound.from.end(), origin->name) ==
            out.bound.from.end())
          out.bound.from.push_back(origin->name);
      }
    }
  }

  ObservedContract observed_;
  const MeasuredPlan& measured_;
  const Measurement& of_;
  bounds::Problem problem_;
  std::vector<std::optional<bounds::FactId>> best_; // by goal
  bool isContradicted_ = false;
};

/// A bound on each context that was seen in either way.
std::optional<ObservedProof::Found> worse(std::optional<ObservedProof::Found> a,
                                          std::optional<ObservedProof::Found> b) {
  if (!a || !b)
    return a ? a : b;
  const bool isFirst = a->bound.isLower ? a->exact < b->exact : a->exact > b->exact;
  ObservedProof::Found out = std::move(isFirst ? *a : *b);
  const ObservedProof::Found& other = isFirst ? *b : *a;
  out.failure += other.failure;
  out.bound.from.insert(out.bound.from.end(), other.bound.from.begin(), other.bound.from.end());
  out.bound.unjudged = std::max(out.bound.unjudged, other.bound.unjudged);
  out.bound.basis = std::max(out.bound.basis, other.bound.basis);
  return out;
}

/// What every value of the quantity meets.
bool isNothing(const model::Measure& measure, const Rational& bound, bool isLower) {
  const auto& range = metrics::info(measure.claim).range;
  const auto end = parseDecimal(isLower ? range.low : range.high);
  return end && (isLower ? bound <= *end : bound >= *end);
}

/// The least double that is not below it, or the largest that is not above.
double toldAs(const Rational& exact, double unit, bool isLower) {
  const double out = lower::nearest(exact) / unit;
  const bool isExact = Rational(out) * Rational(unit) == exact;
  return isExact ? out : std::nextafter(out, isLower ? -HUGE_VAL : HUGE_VAL);
}

} // namespace

std::vector<std::vector<ObservedBound>> observedClaimsOf(const model::Contract& contract,
                                                         const MeasuredPlan& measured,
                                                         const Measurement& of,
                                                         std::span<const std::string> asked) {
  std::vector<std::vector<ObservedBound>> out(contract.claims.size());
  if (contract.claims.empty())
    return out;
  const bool isFalse = isDisproved(measured, of);
  const ObservedProof sureRows(contract, measured, of, {SeenKind::Rows, true, asked}),
      sureTokens(contract, measured, of, {SeenKind::Tokens, true, asked}),
      rows(contract, measured, of, {SeenKind::Rows, false, asked}),
      tokens(contract, measured, of, {SeenKind::Tokens, false, asked});
  for (std::size_t claim = 0; claim < contract.claims.size(); ++claim)
    for (std::size_t i = 0; i < contract.claims[claim].bounds.size(); ++i)
      for (bool isLower : {false, true}) {
        if (!rows.asks(claim, i, isLower))
          continue;
        const model::Amount& limit = contract.claims[claim].bounds[i].limit;
        auto tell = [&](ObservedProof::Found found, Basis basis) {
          found.bound.basis = std::max(found.bound.basis, basis);
          found.bound.unit = model::info(limit.unit).symbol;
          found.bound.bound = toldAs(found.exact, lower::unitOf(limit), isLower);
          if (found.bound.basis == Basis::Confidence)
            found.bound.confidence = 1 - found.failure;
          out[claim].push_back(std::move(found.bound));
        };
        auto found = [&](const ObservedProof& proof, Basis basis) {
          auto one = proof.of(claim, i, isLower);
          if (one && isNothing(contract.claims[claim].bounds[i].measure, one->exact, isLower))
            one.reset();
          if (one)
            one->bound.basis = basis;
          return one;
        };
        auto sure = worse(found(sureRows, Basis::Confidence),
                          isFalse ? std::nullopt : found(sureTokens, Basis::Confidence));
        auto seen = worse(found(rows, Basis::Rows),
                          isFalse ? std::nullopt : found(tokens, Basis::Estimate));
        constexpr double leastConfidence = 0.5;
        const bool isSure = sure && 1 - sure->failure >= leastConfidence;
        if (isSure)
          tell(*sure, Basis::Confidence);
        if (seen && !(isSure && seen->exact == sure->exact))
          tell(std::move(*seen), Basis::Rows);
        if (out[claim].empty()) {
          ObservedBound none;
          none.isLower = isLower;
          none.unit = model::info(limit.unit).symbol;
          none.slice = "*";
          none.why = isFalse ? "the log-probs are not those of the law that drew the tokens"
                             : "what was observed leads to no bound";
          out[claim].push_back(std::move(none));
        }
      }
  return out;
}

} // namespace tikc::measure
