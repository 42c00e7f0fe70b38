#include "logic/Order.h"

#include "logic/Domain.h"
#include "model/Metrics.h"

#include <algorithm>

namespace tikc::logic {

using Form = OneSided::Form;
using model::Bound;
using model::Measure;
using model::Rank;

namespace {

bool isSameThreshold(const Measure& a, const Measure& b) {
  if (!a.threshold || !b.threshold)
    return !a.threshold && !b.threshold;
  auto order = compare(magnitudeOf(a.threshold->bound), magnitudeOf(b.threshold->bound));
  return a.threshold->comparator == b.threshold->comparator && order && *order == 0;
}

bool isSameStatistic(const Measure& a, const Measure& b) {
  return a.aggregate == b.aggregate && a.level == b.level && a.metric == b.metric &&
         a.claim == b.claim && a.absolute == b.absolute && a.parameters == b.parameters &&
         isSameThreshold(a, b);
}

/// Whether the weak limit lies no further in than the strong one.
bool isWithin(const OneSided& strong, const OneSided& weak) {
  auto order = compare(strong.limit, weak.limit);
  if (!order)
    return false;
  bool isFurtherIn = strong.isAbove ? *order < 0 : *order > 0;
  return isFurtherIn || (*order == 0 && (strong.isStrict || !weak.isStrict));
}

/// Whether a wider event is one of the ratio's being outside of a narrower range.
bool isWiderEvent(const Measurand& wide, const Measurand& narrow) {
  const auto& info = model::info(wide.metric);
  bool isOfRange = info.gives == model::Gives::Event && !wide.parameters.empty() &&
                   wide.parameters.size() == narrow.parameters.size();
  return isOfRange && narrow.parameters[0] <= wide.parameters[0] &&
         (wide.parameters.size() < 2 || narrow.parameters[1] >= wide.parameters[1]);
}

/// Whether one figure is nowhere above the other: x is not above |x|, a rarer event not above one
/// that it is part of.
bool isNowhereAbove(const Measurand& low, const Measurand& high) {
  bool isOfOne = low.stands == high.stands && low.metric == high.metric && low.claim == high.claim;
  if (!isOfOne || (low.isSize && !high.isSize))
    return false;
  return low.parameters == high.parameters ||
         (low.stands == Stands::InClause && low.isSize == high.isSize && isWiderEvent(high, low));
}

/// Whether a limit on one figure is one on another.
bool carries(const OneSided& strong, const OneSided& weak) {
  return strong.isAbove ? isNowhereAbove(weak.measurand, strong.measurand)
                        : isNowhereAbove(strong.measurand, weak.measurand);
}

/// What a limit on sizes says of the figure itself from below.
std::optional<OneSided> mirrored(const OneSided& side) {
  OneSided out = side;
  out.measurand.isSize = false;
  out.isAbove = false;
  out.limit = side.limit.scaledBy(-1);
  if (side.form == Form::Ranked && side.isAbove && side.rank.isMean())
    return out;
  if (side.form == Form::Ranked && side.isAbove && side.rank.level == 1) {
    out.rank.level = 0; // the largest size bounds the least value
    return out;
  }
  auto tail = tailOf(side);
  if (!tail || !tail->isUpper)
    return std::nullopt;
  out.form = Form::Tail;
  out.tail = *tail;
  out.tail.isUpper = false;
  out.tail.at = tail->at.scaledBy(-1);
  return out;
}

/// What follows at once, in the same form.
std::vector<OneSided> consequencesOf(const OneSided& strong) {
  std::vector<OneSided> out{strong};
  // The mean of sizes is at most the root of their mean square.
  if (strong.form == Form::RootMeanSquare && strong.isAbove) {
    out.push_back(strong);
    out.back().form = Form::Ranked;
    out.back().rank = {Rank::Kind::Mean, 0};
  }
  for (std::size_t i = 0, n = out.size(); i < n; ++i)
    if (out[i].measurand.isSize && out[i].measurand.isSigned)
      if (auto other = mirrored(out[i]))
        out.push_back(std::move(*other));
  return out;
}

/// Markov's inequality: of sizes whose mean is L at most L/t are t or more, of those whose mean
/// square is L² at most L²/t².
bool leavesTail(const OneSided& strong, const Tail& tail) {
  bool isMean = strong.form == Form::Ranked && strong.rank.kind == Rank::Kind::Mean;
  bool isSquare = strong.form == Form::RootMeanSquare;
  if (!strong.isAbove || !strong.measurand.isSize || !tail.isUpper || !(isMean || isSquare) ||
      tail.at.value <= 0 || tail.at.isBits != strong.limit.isBits)
    return false;
  Rational share = strong.limit.value / tail.at.value;
  if (isSquare)
    share *= share;
  return share < tail.share || (share == tail.share && (strong.isStrict || !tail.isLess));
}

bool reaches(const OneSided& said, const OneSided& weak) {
  bool isTowards = said.isAbove == weak.isAbove && carries(said, weak);
  bool isRanked = said.form == Form::Ranked;
  if (isRanked && weak.form == Form::Ranked && isTowards &&
      (said.isAbove ? dominates(said.rank, weak.rank) : dominates(weak.rank, said.rank)) &&
      isWithin(said, weak))
    return true;
  if (said.form == weak.form && weak.form == Form::RootMeanSquare)
    return isTowards && isWithin(said, weak);
  bool isLargest = isRanked && said.isAbove && !said.rank.isMean() && said.rank.level == 1;
  if (weak.form == Form::RootMeanSquare)
    return isTowards && isLargest && said.measurand.isSize && isWithin(said, weak);
  auto needed = tailFor(weak);
  if (!needed)
    return false;
  // A rate bounded from below is a tail from the other side.
  auto figures = [&](const Tail& tail) {
    return tail.isUpper ? isNowhereAbove(weak.measurand, said.measurand)
                        : isNowhereAbove(said.measurand, weak.measurand);
  };
  auto given = tailOf(said);
  return figures(*needed) && ((given && covers(*given, *needed)) || leavesTail(said, *needed));
}

bool follows(const Bound& strong, const OneSided& weak, Stands stands) {
  for (const OneSided& side : sidesOf(strong, stands))
    for (const OneSided& said : consequencesOf(side))
      if (reaches(said, weak))
        return true;
  return false;
}

/// A window's count is at least that of each part of the window.
bool reachesWindow(const Bound& strong, const Bound& weak, const OneSided& side) {
  const bool isOfParts = weak.measure.aggregate == model::Aggregate::Count && side.isAbove;
  if (!isOfParts || !strong.over || !weak.over ||
      strong.over->dimension() != weak.over->dimension())
    return isSameAmount(strong.over, weak.over);
  return isMultiple(strong.over->scaled(), weak.over->scaled());
}

/// Of what is told of a whole window nothing follows but the same with another limit.
bool followsAsWhole(const Bound& strong, const Bound& weak, const OneSided& side, Stands stands) {
  if (!isSameStatistic(strong.measure, weak.measure) || !reachesWindow(strong, weak, side))
    return false;
  std::vector<OneSided> said = sidesOf(strong, stands);
  return std::any_of(said.begin(), said.end(), [&](const OneSided& each) {
    return each.isAbove == side.isAbove && isWithin(each, side);
  });
}

/// Not where it has none, as `!=` has.
bool isEvery(const Bound& bound, Stands stands, auto holds) {
  std::vector<OneSided> sides = sidesOf(bound, stands);
  return !sides.empty() && std::all_of(sides.begin(), sides.end(), holds);
}

/// What a figure always keeps follows from whatever is said of it.
bool followsFromFigure(const Bound& strong, const Bound& weak, const OneSided& side,
                       Stands stands) {
  std::vector<OneSided> said = sidesOf(strong, stands);
  return isAlwaysKept(side, weak.measure) &&
         std::any_of(said.begin(), said.end(),
                     [&](const OneSided& each) { return each.measurand == side.measurand; });
}

bool limitSameInOneSpelling(const Bound& a, const Bound& b, Stands stands) {
  return isSameStatistic(a.measure, b.measure) &&
         (!dependsOnWindow(a, stands) || isSameAmount(a.over, b.over));
}

bool isSameExclusion(const Bound& a, const Bound& b, Stands stands) {
  auto excludes = [](const Bound& bound) {
    return !bound.upper && bound.comparator == model::Comparator::NotEqual;
  };
  auto order = compare(magnitudeOf(a.limit), magnitudeOf(b.limit));
  return excludes(a) && excludes(b) && limitSameInOneSpelling(a, b, stands) && order && *order == 0;
}

bool impliesInOneSpelling(const Bound& strong, const Bound& weak, Stands stands) {
  return isSameExclusion(strong, weak, stands) || isEvery(weak, stands, [&](const OneSided& side) {
           return followsFromFigure(strong, weak, side, stands) ? true
                  : side.form == Form::Whole ? followsAsWhole(strong, weak, side, stands)
                                             : follows(strong, side, stands);
         });
}

} // namespace

bool implies(const Bound& said, const Bound& asked, Stands stands) {
  // What is said of one figure, as of events, may be lost where it is said of another.
  if (impliesInOneSpelling(said, asked, stands))
    return true;
  // Asked of many pairs, few of which have another spelling.
  const bool isSpeltOtherwise = hasOtherSpelling(said, stands) || hasOtherSpelling(asked, stands);
  return isSpeltOtherwise &&
         impliesInOneSpelling(inOneSpelling(said, stands), inOneSpelling(asked, stands), stands);
}

bool isVacuous(const Bound& bound, Stands stands) {
  return isEvery(bound, stands,
                 [&](const OneSided& side) { return isAlwaysKept(side, bound.measure); });
}

bool isAsSure(const Bound& strong, const Bound& weak) {
  auto confidence = [](const Bound& bound) {
    return bound.confidence ? bound.confidence->scaled() : Rational(1, 2);
  };
  return confidence(strong) >= std::min(confidence(weak), Rational(1, 2));
}

bool limitSame(const Bound& a, const Bound& b, Stands stands) {
  return limitSameInOneSpelling(inOneSpelling(a, stands), inOneSpelling(b, stands), stands);
}

bool bindsParts(const Bound& bound, Stands stands) {
  return isEvery(bound, stands, [](const OneSided& side) {
    if (side.form == Form::Tail) // beyond which nothing lies
      return side.tail.share == 0;
    if (side.form != Form::Ranked)
      return false;
    return side.rank.kind == Rank::Kind::Level
               ? side.rank.level == (side.isAbove ? 1 : 0)
               : side.isAbove && side.measurand.isSize && side.limit.value == 0;
  });
}

bool bindsWhole(const Bound& bound, Stands stands) {
  return isEvery(bound, stands, [](const OneSided& side) { return side.form != Form::Whole; });
}

bool dependsOnWindow(const Bound& bound, Stands stands) {
  return stands == Stands::InClause && !bindsWhole(bound, stands);
}

std::optional<Rational> slack(const Bound& said, const Bound& asked, Stands stands) {
  const Bound strong = inOneSpelling(said, stands), weak = inOneSpelling(asked, stands);
  std::vector<OneSided> from = sidesOf(strong, stands), to = sidesOf(weak, stands);
  bool isPair = from.size() == 1 && to.size() == 1 && from[0].isAbove == to[0].isAbove &&
                from[0].limit.isBits == to[0].limit.isBits;
  if (!isPair || !limitSame(strong, weak, stands) || to[0].limit.value == 0)
    return std::nullopt;
  Rational share = (to[0].limit.value - from[0].limit.value) / abs(to[0].limit.value);
  return to[0].isAbove ? share : Rational(-share);
}

} // namespace tikc::logic
