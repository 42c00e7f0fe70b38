#include "bounds/facts/Comparisons.h"

#include "bounds/numbers/Real.h"
#include "support/Check.h"

namespace tikc::bounds {

using model::Comparator;
using Side = QuantityInfo::Side;

std::vector<QuantityLimit> limitsOf(const model::Bound& bound) {
  switch (bound.comparator) {
  case Comparator::LessEqual:
  case Comparator::Less:
    if (bound.upper)
      return {{bound.limit, Side::Lower}, {*bound.upper, Side::Upper}};
    return {{bound.limit, Side::Upper, bound.comparator == Comparator::Less}};
  case Comparator::GreaterEqual:
  case Comparator::Greater:
    return {{bound.limit, Side::Lower, bound.comparator == Comparator::Greater}};
  case Comparator::Equal:
    return {{bound.limit, Side::Lower}, {bound.limit, Side::Upper}};
  case Comparator::NotEqual:
    return {};
  }
  TIKC_CHECK(false, "each comparator has its case");
}

Rational amount(const model::Amount& quantity, unsigned bits, Rounding rounding) {
  Rational value = quantity.scaled();
  if (quantity.unit != model::Unit::Bit)
    return value;
  Real nats(Logarithm{value, 2}, bits);
  return rounding == Rounding::Up ? nats.ceiling(bits / 2).upper() : nats.floor(bits / 2).lower();
}

std::optional<Exactly> exactlyOf(const model::Amount& quantity, const Rational& amount) {
  if (quantity.unit != model::Unit::Bit)
    return std::nullopt;
  return Exactly{{quantity.scaled(), 2}, amount};
}

} // namespace tikc::bounds
