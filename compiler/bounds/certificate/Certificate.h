#pragma once

#include "bounds/prove/Prover.h"
#include "support/Source.h"

#include <string>

namespace tikc::bounds {

/// The derivations of a proof as JSON that whoever distrusts this prover can check: the files that
/// they rest on stand in it whole, every input says at which byte its entry begins, every step
/// states its lemma, its premises and its result. The checker, verifier/, says what each member
/// means.
std::string certificate(const SourceManager& sources, const model::Contract& contract,
                        const Proof& proof);

} // namespace tikc::bounds
