#pragma once

#include "order/OneSided.h"

#include <optional>

namespace tikc::order {

/// What two statistics of one population could be, so that it keeps a bound on one and breaks one
/// on the other: in the units of the bounds. Where both are the same statistic the two are one.
struct Separation {
  model::Amount kept, broken;
};

/// Values that show that a bound does not imply another, where they are cheap to find: of the same
/// statistic a number between the limits; of two of one figure either a population whose values are
/// all one number, or two numbers in the order that such statistics always have. Numbers that the
/// statistics cannot be are none. Nothing found does not show that one implies the other.
std::optional<Separation> separation(const model::Bound& kept, const model::Bound& broken,
                                     Stands stands);

} // namespace tikc::order
