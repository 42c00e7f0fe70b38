#pragma once

#include "emit/CodeWriter.h"
#include "plan/Plan.h"

namespace tikc::emit::cpp {

/// The constants that the runtime's templates turn into a checker.
void writeTables(CodeWriter& out, const plan::Plan& plan);

} // namespace tikc::emit::cpp
