#pragma once

#include "suggest/Draft.h"

namespace tikc::suggest {

/// Finds with the prover what the clauses imply about common claims, and adds these claims with
/// rounded limits. Claims that say nothing are left out.
void addClaims(Draft& draft);

} // namespace tikc::suggest
