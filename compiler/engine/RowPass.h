#pragma once

#include "tikc/plan.h"
#include "tikc/row.h"

namespace tikc::engine {

/// The statistics that a stream wants of a pair of rows, by the least of the compiled passes that
/// has them: a statistic is the same whatever else is asked for.
row_stats passRow(const stream& of, row_view train, row_view infer, std::size_t vocabulary,
                  float* scratch);

} // namespace tikc::engine
