#pragma once

#include "checker/engine/LoadedTally.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

namespace tikc::measure {

/// Renumbers the observations of a tally, which keeps numbers only for outliers.
void renameObservations(engine::LoadedTally& tally,
                        llvm::function_ref<std::uint64_t(std::uint64_t)> renamed);

} // namespace tikc::measure
