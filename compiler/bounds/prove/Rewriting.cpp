#include "bounds/prove/Rewriting.h"

namespace tikc::bounds {

Rewriting rewriting(const model::Bound& bound, const Fact& clause, const Rational& tolerance) {
  bool isLower = bound.upper && clause.bound == -bound.limit.scaled();
  const model::Amount& limit = bound.upper && !isLower ? *bound.upper : bound.limit;
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

} // namespace tikc::bounds
