#pragma once

#include "tikc/plan.h"
#include "tikc/row.h"

namespace tikc::engine {

/// Returns the statistics that a stream needs of a pair of rows, from the smallest compiled pass
/// that has them and reads rows alike. The results equal those of a pass compiled for the plan, to
/// the last bit.
row_stats passRow(const stream& pair, row_view train, row_view infer, std::size_t vocabulary,
                  float* scratch);

/// Returns whether a row's missing mass depends on the cuts of the inference's distribution, which
/// the pass does not know.
constexpr bool missesByCuts(const stream& pair) {
  return (pair.row_wants & row_want::missing_mass) != 0 && pair.cut.is_any() &&
         pair.infer_temperature != 0;
}

} // namespace tikc::engine
