#pragma once

#include "changes/StatementChanges.h"

namespace tikc::changes {

/// Whether tallies collected for a clause can be judged by its new edition.
Reuse reuseOf(const Editions& editions, const model::Statement& old, const model::Statement& fresh);

} // namespace tikc::changes
