#include "story/Reach.h"

#include "bounds/prove/Advice.h"

#include <algorithm>

namespace tikc::story {

using bounds::Fact;
using bounds::WhatIf;

namespace {

/// The first of a doubling row that fails, the declared number having passed.
Rational firstTooLarge(const Rational& declared, const Follows& follows) {
  Rational high = 2 * declared;
  while (high < farthest * declared && follows(high))
    high *= 2;
  return high;
}

} // namespace

Extent extentOf(const Rational& declared, const Follows& follows) {
  if (!follows(declared))
    return {bounds::largest(declared, follows), false};
  if (follows(farthest * declared))
    return {std::nullopt, true};
  auto found = bounds::largest(firstTooLarge(declared, follows), follows);
  // What is found is rounded to few digits.
  return {std::max(found.value_or(declared), declared), false};
}

Extent wholeExtentOf(const Rational& declared, const Follows& follows) {
  if (follows(farthest * declared))
    return {std::nullopt, true};
  if (!follows(1))
    return {};
  Rational low = 1, high = declared;
  if (follows(declared)) {
    low = declared;
    high = firstTooLarge(declared, follows);
  }
  while (high - low > 1) {
    Rational middle((low + high) / 2);
    Rational whole(mpz_class(middle.get_num() / middle.get_den()));
    (follows(whole) ? low : high) = whole;
  }
  return {low, false};
}

std::vector<Point> curveOf(const WhatIf& whatIf, const Fact& clause) {
  constexpr int intervals = 48;
  std::vector<Point> out;
  for (int i = 0; i <= intervals; ++i) {
    Rational tolerance = clause.bound * Rational(2 * i) / intervals;
    out.push_back({tolerance, whatIf.withTolerance(clause, tolerance).bound});
  }
  return out;
}

WhatIf::Outcome withHorizon(const WhatIf& whatIf, const Rational& horizon) {
  return whatIf.after([&](Fact& fact) {
    if (fact.key.quantity == bounds::Quantity::Horizon)
      fact.bound = horizon;
  });
}

} // namespace tikc::story
