#pragma once

#include "syntax/ExprText.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace tikc::syntax {

/// What a person takes for a part of an expression: a token, a number with its unit, what is in
/// brackets, an argument, a call, a comparison with and without its tails. Pairs of tokens, the
/// first and the last of each part, in no order. The text may be half typed.
std::vector<std::pair<std::size_t, std::size_t>> partsOf(const ExprText& expr);

} // namespace tikc::syntax
