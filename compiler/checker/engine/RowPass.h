#pragma once

#include "tikc/plan.h"
#include "tikc/row.h"

#include <string_view>

namespace tikc::engine {

/// Returns the statistics that a stream needs of a pair of rows, from the smallest compiled pass
/// that has them and reads rows alike. The results equal those of a pass compiled for the plan, to
/// the last bit.
row_stats passRow(const stream& pair, row_view train, row_view infer, std::size_t vocabulary,
                  float* scratch);

/// Returns the instruction set that rows and tokens are observed with on this machine, and why no
/// better one is used.
std::string_view usedInstructions();

} // namespace tikc::engine
