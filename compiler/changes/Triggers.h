#pragma once

#include "model/Contract.h"

/// What triggers say of the states that they ask for, whatever their form.
namespace tikc::changes {

/// One form for all triggers that are true at the same times, but for those of too many states: the
/// order and the nesting of `and`, `or` and `not` are gone, and so is what lasts for one window.
model::Expr normalTrigger(const model::Expr& trigger);

} // namespace tikc::changes
