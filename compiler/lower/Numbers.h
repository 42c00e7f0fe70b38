#pragma once

#include "model/Amount.h"

#include <cstdint>

namespace tikc::lower {

double nearest(const Rational& value);
/// Converts a number that sema has checked to be a whole number within a checker's range.
std::uint32_t counted(const Rational& value);
/// Returns the nearest double in base units, with information in nats.
double nearest(const model::Amount& quantity);
/// Returns one of the author's unit in base units.
double unitOf(const model::Amount& quantity);

} // namespace tikc::lower
