#pragma once

#include "model/Contract.h"

/// The normal form of triggers.
namespace tikc::changes {

/// Returns one form for all triggers that are true at the same times, unless they have too many
/// states. The order and nesting of `and`, `or` and `not` disappear, and so does `for 1 windows`.
model::Expr normalTrigger(const model::Expr& trigger);

} // namespace tikc::changes
