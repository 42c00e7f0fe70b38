#pragma once

#include "model/Amount.h"

#include <cstdint>

namespace tikc::lower {

double nearest(const Rational& value);
/// Of what sema has checked to be a whole number that checkers count to.
std::uint32_t counted(const Rational& value);
/// In base units, information in nats.
double nearest(const model::Amount& quantity);
/// What one of the author's unit is in base units.
double unitOf(const model::Amount& quantity);

} // namespace tikc::lower
