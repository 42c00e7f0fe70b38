#pragma once

#include "data/Source.h"
#include "data/arrays/ArrayPlan.h"

namespace tikc::data {

/// Reads the responses, or the rows, from one to another. What is of them is placed in `file`, a
/// name that outlives the reader, as `Input`s do.
std::unique_ptr<PieceReader> arrayReader(std::string_view file, const ArrayPlan& plan,
                                         const Layout& layout, const DataLimits& limits,
                                         std::uint64_t begin, std::uint64_t end);

} // namespace tikc::data
