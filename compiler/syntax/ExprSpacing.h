#pragma once

#include "syntax/ExprText.h"

#include <string>

namespace tikc::syntax {

/// The tokens with one blank between them where the language is written with one, and none
/// elsewhere: `p99( tv )<=0.1` is `p99(tv) <= 0.1`.
std::string spaced(const ExprText& expr);

} // namespace tikc::syntax
