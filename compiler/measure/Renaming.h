#pragma once

#include "engine/LoadedTally.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>

namespace tikc::measure {

/// Gives what a tally was shown other names: those of what stands out are all that it keeps.
void renameObservations(engine::LoadedTally& tally,
                        llvm::function_ref<std::uint64_t(std::uint64_t)> renamed);

} // namespace tikc::measure
