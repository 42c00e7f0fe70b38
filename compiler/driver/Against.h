#pragma once

#include "diag/Diagnostic.h"
#include "driver/ComparedSides.h"
#include "support/Limits.h"

#include <vector>

namespace tikc::driver {

/// What `tikc check --against` says of the difference: what is looser or gone, and versions that go
/// back, or take less of a step than their changes need.
std::vector<diag::Diagnostic> againstFindings(const changes::ComparedContracts& compared,
                                              const Limits& limits);

} // namespace tikc::driver
