#pragma once

#include "data/Source.h"
#include "data/arrays/ArrayPlan.h"
#include "data/arrays/ArraySums.h"

namespace tikc::data {

/// Reads a range of responses or rows. Their places are in `file`, a name that must outlive the
/// reader, as `Input`s and the sums do.
std::unique_ptr<PieceReader> arrayReader(std::string_view file, const ArrayPlan& plan,
                                         const Layout& layout, const DataLimits& limits,
                                         ArraySums& sums, std::uint64_t begin, std::uint64_t end);

} // namespace tikc::data
