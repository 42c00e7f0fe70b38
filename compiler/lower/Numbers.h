#pragma once

#include "model/Quantity.h"

namespace tikc::lower {

double nearest(const Rational& value);
/// In base units, information in nats.
double nearest(const model::Quantity& quantity);
/// What one of the author's unit is in base units.
double unitOf(const model::Quantity& quantity);

} // namespace tikc::lower
