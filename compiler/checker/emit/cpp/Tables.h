#pragma once

#include "checker/emit/CodeWriter.h"
#include "checker/plan/Plan.h"

namespace tikc::emit::cpp {

/// Writes the constants from which the runtime's templates make a checker.
void writeTables(CodeWriter& out, const plan::Plan& plan);

} // namespace tikc::emit::cpp
