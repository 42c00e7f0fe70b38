#pragma once

#include "order/OneSided.h"

#include <optional>

/// What says more than what. Both bounds are about the same two kernels, laws and drawer: whoever
/// asks holds these to each other. Windows are no part of a promise, but of what is counted or
/// added up in a window, and confidences are none, but those that isAsSure() tells.
namespace tikc::order {

/// Whether whoever keeps `strong` on a population keeps `weak` on it, whatever the data. Where no
/// rule says so it is not implied, which does not show that it is not.
bool implies(const model::Bound& strong, const model::Bound& weak, Stands stands);

/// Whether it is kept whatever is observed.
bool isVacuous(const model::Bound& bound, Stands stands);

/// Whether what satisfies one bound meets its limit no less than what satisfies the other. From one
/// half on, as without a confidence, only figures satisfy a bound that meet it; below, the limit
/// that decides lies on the good side of the figure, which then may be beyond the bound, the
/// further the lower the confidence.
bool isAsSure(const model::Bound& strong, const model::Bound& weak);

/// Whether two bounds limit the same statistic of the same figure.
bool limitSame(const model::Bound& a, const model::Bound& b, Stands stands);

/// Whether a bound on a whole binds each of its parts, as one on each of its values does.
bool bindsParts(const model::Bound& bound, Stands stands);
/// Whether bounds on all parts of a whole bind the whole, as those on means do: what is mixed of
/// populations that keep them keeps them, whatever the shares.
bool bindsWhole(const model::Bound& bound, Stands stands);
/// Whether what it promises depends on how long its window is.
bool dependsOnWindow(const model::Bound& bound, Stands stands);

/// How much of the weak one's limit the strong one leaves, as a share of it; nothing where they do
/// not limit the same from one side, or for a limit of 0.
std::optional<Rational> slack(const model::Bound& strong, const model::Bound& weak, Stands stands);

} // namespace tikc::order
