#pragma once

#include "checker/plan/Figures.h"
#include "model/Metrics.h"

namespace tikc::lower {

/// Returns the figure that is observed for a metric: its own, or the one it is computed from.
plan::Figure figureOf(model::MetricId metric);

} // namespace tikc::lower
