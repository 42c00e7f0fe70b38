#pragma once

#include "checker/emit/CodeWriter.h"
#include "checker/plan/Plan.h"

namespace tikc::emit::cpp {

/// Writes the constants of the escalation machine; nothing if the contract has no rules.
void writePolicy(CodeWriter& out, const plan::Plan& plan);

} // namespace tikc::emit::cpp
