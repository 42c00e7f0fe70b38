#pragma once

#include "metrics/Metrics.h"
#include "plan/Figures.h"

namespace tikc::lower {

/// What is observed for a metric: its own figure, or the one that it is made of.
plan::Figure figureOf(model::MetricId metric);

} // namespace tikc::lower
