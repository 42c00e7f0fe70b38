#include "logic/Separation.h"

#include "logic/Domain.h"
#include "logic/Order.h"
#include "model/Metrics.h"

#include <algorithm>

namespace tikc::logic {

using model::Aggregate;
using model::Amount;
using model::Bound;
using model::Measure;
using model::Rank;

namespace {

void raiseLow(Stretch& stretch, const Rational& low, bool hasLow) {
  if (!stretch.low || low > *stretch.low) {
    stretch.low = low;
    stretch.hasLow = hasLow;
  } else if (low == *stretch.low) {
    stretch.hasLow &= hasLow;
  }
}

void lowerHigh(Stretch& stretch, const Rational& high, bool hasHigh) {
  if (!stretch.high || high < *stretch.high) {
    stretch.high = high;
    stretch.hasHigh = hasHigh;
  } else if (high == *stretch.high) {
    stretch.hasHigh &= hasHigh;
  }
}

Stretch common(Stretch a, const Stretch& b) {
  if (b.low)
    raiseLow(a, *b.low, b.hasLow);
  if (b.high)
    lowerHigh(a, *b.high, b.hasHigh);
  return a;
}

Stretch above(const Rational& low, bool hasLow) { return {low, std::nullopt, hasLow, true}; }
Stretch below(const Rational& high, bool hasHigh) { return {std::nullopt, high, true, hasHigh}; }

bool excludesOne(const Bound& bound) {
  return !bound.upper && bound.comparator == model::Comparator::NotEqual;
}

std::vector<Stretch> beside(const Stretch& stretch) {
  std::vector<Stretch> out;
  if (stretch.low)
    out.push_back(below(*stretch.low, !stretch.hasLow));
  if (stretch.high)
    out.push_back(above(*stretch.high, !stretch.hasHigh));
  return out;
}

/// What a bound lets pass, or the one number that it does not.
Stretch rangeOf(const Bound& bound) {
  Stretch out;
  bool hasEnd = bound.upper || !model::isStrict(bound.comparator);
  if (model::limitsBelow(bound) || excludesOne(bound))
    raiseLow(out, bound.limit.scaled(), hasEnd);
  if (model::limitsAbove(bound) || excludesOne(bound))
    lowerHigh(out, (bound.upper ? *bound.upper : bound.limit).scaled(), hasEnd);
  return out;
}

std::vector<Stretch> keeping(const Bound& bound) {
  Stretch range = rangeOf(bound);
  return excludesOne(bound) ? beside(range) : std::vector<Stretch>{range};
}

std::vector<Stretch> breaking(const Bound& bound) {
  Stretch range = rangeOf(bound);
  return excludesOne(bound) ? std::vector<Stretch>{range} : beside(range);
}

bool countsEvents(const Measure& measure, Stands stands) {
  return stands == Stands::InClause && model::countsEvents(measure.metric);
}

/// Whether the statistic is one of the whole numbers.
bool isWhole(const Measure& measure, Stands stands) {
  switch (measure.aggregate) {
  case Aggregate::Count:
    return true;
  case Aggregate::Sum:
  case Aggregate::Max:
  case Aggregate::Min:
  case Aggregate::Quantile:
    return countsEvents(measure, stands);
  default:
    return false;
  }
}

bool isInteger(const Rational& value) { return value.get_den() == 1; }

/// A number of few digits strictly between two, near their middle.
std::optional<Rational> roundBetween(const Rational& low, const Rational& high, bool isWhole) {
  Rational middle = (low + high) / 2, step = 1;
  while (step < high - low)
    step *= 10;
  for (;; step /= 10) {
    if (isWhole && step < 1)
      return std::nullopt;
    for (const Rational& times : {floorOf(middle / step), Rational(floorOf(middle / step) + 1)})
      if (Rational at = times * step; low < at && at < high)
        return at;
  }
}

/// One of them, in few digits of a unit.
std::optional<Rational> pick(Stretch from, const Rational& unit, bool isWhole) {
  if (!from.low && !from.high)
    return std::nullopt;
  // Without an end as far again as the other one is from nothing.
  if (!from.low)
    from.low = *from.high - (*from.high == 0 ? unit : Rational(abs(*from.high)));
  if (!from.high)
    from.high = *from.low + (*from.low == 0 ? unit : Rational(abs(*from.low)));
  if (*from.low < *from.high)
    if (auto found = roundBetween(*from.low / unit, *from.high / unit, isWhole))
      return Rational(*found * unit);
  auto hasEnd = [&](const Rational& end, bool isIn) {
    bool isAtBoth = *from.low < *from.high || (from.hasLow && from.hasHigh);
    return isIn && isAtBoth && (!isWhole || isInteger(end));
  };
  if (*from.low <= *from.high && hasEnd(*from.high, from.hasHigh))
    return from.high;
  if (*from.low <= *from.high && hasEnd(*from.low, from.hasLow))
    return from.low;
  return std::nullopt;
}

/// What the statistic can be of a population. A sample's mean of ratios can be above 1; that of all
/// that the server draws is the trainer's share of what the server can draw.
Stretch possibleOf(const Measure& measure, Stands stands) {
  Stretch out = domainOf(measure, stands);
  const bool isMeanRatio = stands == Stands::InClause && !measure.absolute &&
                           measure.metric == model::MetricId::Ratio &&
                           measure.aggregate == Aggregate::Mean;
  if (isMeanRatio)
    lowerHigh(out, 1, true);
  return out;
}

/// One bound of two, with what its statistic can be.
struct Side {
  const Bound& bound;
  Stretch domain;
  Rational unit;
  bool isWhole;

  Side(const Bound& bound, Stands stands)
      : bound(bound), domain(possibleOf(bound.measure, stands)), unit(unitOf(bound.limit)),
        isWhole(logic::isWhole(bound.measure, stands)) {}

  Amount amount(const Rational& value) const {
    return {value / unit, bound.limit.unit, bound.limit.per, {}, {}};
  }

private:
  static Rational unitOf(const Amount& amount) {
    return Amount{1, amount.unit, amount.per, {}, {}}.scaled();
  }
};

std::optional<Separation> byOneNumber(const Side& kept, const Side& broken, bool isWhole) {
  for (const Stretch& inside : keeping(kept.bound))
    for (const Stretch& outside : breaking(broken.bound)) {
      Stretch both = common(common(inside, outside), common(kept.domain, broken.domain));
      if (auto value = pick(both, kept.unit, isWhole))
        return Separation{kept.amount(*value), broken.amount(*value)};
    }
  return std::nullopt;
}

std::optional<Rank> rankOf(const Bound& bound, Stands stands) {
  std::vector<OneSided> sides = sidesOf(bound, stands);
  return sides.empty() || sides.front().form != OneSided::Form::Ranked
             ? std::nullopt
             : std::optional(sides.front().rank);
}

/// A mean that is the least or the largest of all figures is that of equal ones.
Stretch innerDomain(const Side& side, const Rank& rank) {
  Stretch out = side.domain;
  if (rank.isMean())
    out.hasLow = out.hasHigh = false;
  return out;
}

/// Of two statistics of which one is never below the other, and is above it in some population.
std::optional<Separation> byTwoNumbers(const Side& kept, const Rank& keptRank, const Side& broken,
                                       const Rank& brokenRank) {
  bool isBrokenAbove = model::dominates(brokenRank, keptRank);
  if (!isBrokenAbove && !model::dominates(keptRank, brokenRank))
    return std::nullopt;
  for (const Stretch& outside : breaking(broken.bound)) {
    auto value =
        pick(common(outside, innerDomain(broken, brokenRank)), broken.unit, broken.isWhole);
    if (!value)
      continue;
    Stretch room = common(innerDomain(kept, keptRank),
                          isBrokenAbove ? below(*value, false) : above(*value, false));
    for (const Stretch& inside : keeping(kept.bound))
      if (auto other = pick(common(inside, room), kept.unit, kept.isWhole))
        return Separation{kept.amount(*other), broken.amount(*value)};
  }
  return std::nullopt;
}

/// Bits are no fraction of a nat: numbers of both are not held to each other.
bool isOfOneUnit(const Side& kept, const Side& broken) {
  auto isBits = [](const Amount& amount) { return amount.unit == model::Unit::Bit; };
  bool bits = isBits(kept.bound.limit);
  auto isAlike = [&](const Side& side) {
    bool isNatural = bits && side.domain.high; // what a figure can be is in nats
    return isBits(side.bound.limit) == bits && !isNatural &&
           (!side.bound.upper || isBits(*side.bound.upper) == bits);
  };
  return isAlike(kept) && isAlike(broken);
}

bool isOfOneFigure(const Bound& kept, const Bound& broken, Stands stands) {
  std::vector<OneSided> a = sidesOf(kept, stands), b = sidesOf(broken, stands);
  return !a.empty() && !b.empty() && a.front().measurand == b.front().measurand;
}

} // namespace

std::optional<Separation> separation(const Bound& kept, const Bound& broken, Stands stands) {
  Side keeps(kept, stands), breaks(broken, stands);
  // Of what nothing can keep all follows.
  if (!isOfOneUnit(keeps, breaks) || implies(kept, broken, stands))
    return std::nullopt;
  // Numbers of two figures that go by one name are not of one sign.
  const bool isOneName = kept.measure.metric == broken.measure.metric;
  if (isOneName && limitSame(kept, broken, stands))
    return byOneNumber(keeps, breaks, keeps.isWhole);
  auto keptRank = rankOf(kept, stands), brokenRank = rankOf(broken, stands);
  if (!keptRank || !brokenRank || !isOfOneFigure(kept, broken, stands))
    return std::nullopt;
  auto alike = byOneNumber(keeps, breaks, countsEvents(kept.measure, stands));
  return alike ? alike : byTwoNumbers(keeps, *keptRank, breaks, *brokenRank);
}

} // namespace tikc::logic
