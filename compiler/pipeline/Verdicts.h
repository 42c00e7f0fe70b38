#pragma once

#include "bounds/prove/Prover.h"
#include "diag/Rendering.h"

#include <vector>

namespace tikc::pipeline {

/// What became of each claim, slices with the same outcome told together.
std::vector<diag::ClaimVerdict> verdictsOf(FileId file, const model::Contract& contract,
                                           const bounds::Proof& proof);

} // namespace tikc::pipeline
