#pragma once

#include "tikc/plan.h"
#include "tikc/row.h"

namespace tikc::engine {

/// The statistics that a stream wants of a pair of rows, by the least of the compiled passes that
/// has them and reads rows as one of exactly these would: they are the same to the last bit.
row_stats passRow(const stream& of, row_view train, row_view infer, std::size_t vocabulary,
                  float* scratch);

} // namespace tikc::engine
