#pragma once

#include "logic/OneSided.h"

#include <optional>

/// Decides which bounds imply which. Both bounds are about the same kernels, distributions and
/// sampler: the caller ensures that. Windows and confidences are ignored, except windows of counts
/// and sums, and confidences in isAsSure().
namespace tikc::logic {

/// Returns whether every population that satisfies `strong` satisfies `weak`, whatever the data.
/// False means that no rule shows it, and not that it is false.
bool implies(const model::Bound& strong, const model::Bound& weak, Stands stands);

/// Returns whether every observation satisfies the bound.
bool isVacuous(const model::Bound& bound, Stands stands);

/// Returns whether data that satisfy one bound meet its limit at least as surely as for the other.
/// At a confidence of at least one half, or without one, only figures within the limit satisfy a
/// bound. Below one half, the deciding end of the interval is on the good side of the figure, so
/// the figure itself may exceed the bound, the further the lower the confidence.
bool isAsSure(const model::Bound& strong, const model::Bound& weak);

/// Returns whether two bounds limit the same statistic of the same figure.
bool limitSame(const model::Bound& a, const model::Bound& b, Stands stands);

/// Returns whether a bound on a whole also holds for each of its parts, as a bound on every value
/// does.
bool bindsParts(const model::Bound& bound, Stands stands);
/// Returns whether bounds on all parts also hold for the whole, as bounds on means do, whatever the
/// shares of the parts.
bool bindsWhole(const model::Bound& bound, Stands stands);
/// Returns whether the promise depends on the length of its window.
bool dependsOnWindow(const model::Bound& bound, Stands stands);

/// Returns the share of the weak limit that the strong one leaves. Returns nothing if they do not
/// limit the same statistic from one side, or for a limit of 0.
std::optional<Rational> slack(const model::Bound& strong, const model::Bound& weak, Stands stands);

} // namespace tikc::logic
