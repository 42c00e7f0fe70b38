#pragma once

#include "emit/CodeWriter.h"
#include "plan/Plan.h"

namespace tikc::emit::cpp {

/// The constants of the escalation machine; nothing where the contract has no rule.
void writePolicy(CodeWriter& out, const plan::Plan& plan);

} // namespace tikc::emit::cpp
