#include "lower/Numbers.h"

#include <cmath>

namespace tikc::lower {

double nearest(const Rational& value) {
  double low = value.get_d(); // towards zero
  if (!std::isfinite(low))
    return low;
  double high = std::nextafter(low, value < 0 ? -HUGE_VAL : HUGE_VAL);
  if (!std::isfinite(high))
    return low;
  Rational below = abs(Rational(value - Rational(low))),
           above = abs(Rational(Rational(high) - value));
  return above < below ? high : low;
}

double unitOf(const model::Quantity& quantity) {
  model::Quantity one = quantity;
  one.value = 1;
  double scale = nearest(one.scaled());
  return quantity.unit == model::Unit::Bit ? scale * std::log(2.0) : scale;
}

double nearest(const model::Quantity& quantity) {
  double value = nearest(quantity.scaled());
  return quantity.unit == model::Unit::Bit ? value * std::log(2.0) : value;
}

} // namespace tikc::lower
