#include "bounds/prove/Advice.h"

#include <algorithm>

namespace tikc::bounds {
namespace {

std::optional<Rational> longestHorizon(const WhatIf& whatIf, const Rational& declared) {
  auto follows = [&](const Rational& horizon) {
    return whatIf
        .after([&](Fact& fact) {
          if (fact.key.quantity == Quantity::Horizon)
            fact.bound = horizon;
        })
        .follows;
  };
  if (!follows(1))
    return std::nullopt;
  Rational low = 1, high = declared;
  while (high - low > 1) {
    Rational middle((low + high) / 2);
    mpz_class whole = middle.get_num() / middle.get_den();
    (follows(Rational(whole)) ? low : high) = Rational(whole);
  }
  return low;
}

} // namespace

std::optional<Rational> largest(const Rational& most,
                                const std::function<bool(const Rational&)>& passes) {
  if (!passes(0))
    return std::nullopt;
  Rational low = 0, high = most;
  const Rational least = most / Rational(mpz_class(1) << 200);
  // What passes may be far smaller.
  for (Rational tiny = most / 1024; low == 0; tiny /= 1024) {
    if (tiny < least)
      return Rational(0);
    (passes(tiny) ? low : high) = tiny;
  }
  constexpr int halvings = 24;
  for (int i = 0; i < halvings; ++i) {
    Rational middle = (low + high) / 2;
    (passes(middle) ? low : high) = middle;
  }
  for (unsigned digits = 3; digits <= 6; ++digits)
    for (Rounding rounding : {Rounding::Up, Rounding::Down})
      if (Rational simple = rounded(low, digits, rounding); simple <= most && passes(simple))
        return simple;
  return std::nullopt;
}

Rewriting rewriting(const model::Bound& bound, const Fact& clause, const Rational& tolerance) {
  bool isLower = bound.upper && clause.bound == -bound.limit.scaled();
  const model::Quantity& limit = bound.upper && !isLower ? *bound.upper : bound.limit;
  Rewriting out{limit.span, limit};
  Rational value = limit.value < 0 ? Rational(-tolerance) : tolerance;
  if (limit.unit == model::Unit::Bit) {
    out.quantity.unit = model::Unit::Nat;
    out.quantity.value = value;
  } else {
    out.quantity.value = Rational(value * limit.value / limit.scaled());
  }
  return out;
}

Advice advise(const WhatIf& whatIf) {
  Advice out;
  if (!whatIf.isBoundable())
    return out;
  auto grounds = whatIf.grounds();
  if (grounds.empty())
    return out;
  out.isInfeasible = !whatIf
                          .after([](Fact& fact) {
                            if (isTolerance(fact))
                              fact.bound = 0;
                          })
                          .follows;
  if (out.isInfeasible)
    return out;
  std::vector<Span> asked;
  for (const Fact& ground : grounds) {
    if (ground.key.quantity == Quantity::Horizon)
      out.horizon = longestHorizon(whatIf, ground.bound);
    if (!isTolerance(ground) ||
        std::find(asked.begin(), asked.end(), ground.origin->span) != asked.end())
      continue;
    asked.push_back(ground.origin->span);
    auto passes = [&](const Rational& tolerance) {
      return whatIf.withTolerance(ground, tolerance).follows;
    };
    out.tolerances.push_back({ground, largest(ground.bound, passes)});
  }
  return out;
}

} // namespace tikc::bounds
