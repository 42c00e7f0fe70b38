#pragma once

#include "diag/Diagnostic.h"
#include "driver/ComparedSides.h"
#include "support/Limits.h"

#include <vector>

namespace tikc::driver {

/// Returns the findings of `tikc check --against`: looser or removed parts, and versions that
/// decrease or increase by less than the changes need.
std::vector<diag::Diagnostic> againstFindings(const changes::ComparedContracts& compared,
                                              const Limits& limits);

} // namespace tikc::driver
