#pragma once

#include "expr/ExprText.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace tikc::expr {

/// Returns the parts of an expression, as a person sees them: a token, a number with its unit, the
/// content of brackets, an argument, a call, a comparison with and without its tails. Each part is
/// a pair of its first and last token; the order is unspecified. The text may be unfinished.
std::vector<std::pair<std::size_t, std::size_t>> partsOf(const ExprText& expr);

} // namespace tikc::expr
