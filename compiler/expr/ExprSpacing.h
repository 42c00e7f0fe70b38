#pragma once

#include "expr/ExprText.h"

#include <string>

namespace tikc::expr {

/// Returns the tokens with conventional spacing, one space or none: `p99( tv )<=0.1` becomes
/// `p99(tv) <= 0.1`.
std::string spaced(const ExprText& expr);

} // namespace tikc::expr
