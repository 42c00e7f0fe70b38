#include "lower/Numbers.h"

#include "support/Check.h"

#include <cmath>
#include <limits>

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

std::uint32_t counted(const Rational& value) {
  TIKC_CHECK(value.get_den() == 1 && value >= 0 &&
                 value <= std::numeric_limits<std::uint32_t>::max(),
             "what is counted was checked to be whole, and not too large");
  return static_cast<std::uint32_t>(value.get_num().get_ui());
}

double unitOf(const model::Amount& quantity) {
  model::Amount one = quantity;
  one.value = 1;
  double scale = nearest(one.scaled());
  return quantity.unit == model::Unit::Bit ? scale * std::log(2.0) : scale;
}

double nearest(const model::Amount& quantity) {
  double value = nearest(quantity.scaled());
  return quantity.unit == model::Unit::Bit ? value * std::log(2.0) : value;
}

} // namespace tikc::lower
