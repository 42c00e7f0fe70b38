#pragma once

#include "changes/StatementChanges.h"

namespace tikc::changes {

/// Whether tallies that were gathered for a clause can be judged by its successor.
Reuse reuseOf(const Editions& editions, const model::Statement& was, const model::Statement& is);

} // namespace tikc::changes
