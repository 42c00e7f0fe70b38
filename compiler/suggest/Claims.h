#pragma once

#include "suggest/Draft.h"

namespace tikc::suggest {

/// Asks the prover what follows from the clauses for what people claim, and claims it, rounded away
/// from what follows. What says nothing is not claimed.
void addClaims(Draft& draft);

} // namespace tikc::suggest
