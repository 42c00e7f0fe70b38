#pragma once

#include "bounds/prove/Prover.h"
#include "support/Source.h"

#include <string>

namespace tikc::bounds {

/// Returns a proof as JSON that another program can check without trusting the prover. It contains
/// the complete files, the byte at which each input begins, and the lemma, premises and result of
/// each step. verifier/ defines the members.
std::string certificate(const SourceManager& sources, const model::Contract& contract,
                        const Proof& proof);

} // namespace tikc::bounds
