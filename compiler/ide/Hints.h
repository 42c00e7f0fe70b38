#pragma once

#include "ide/Analysis.h"

#include <string>
#include <vector>

namespace tikc::ide {

/// A few words after a comparison in an editor: its conclusion or its verdict.
struct Hint {
  std::uint32_t offset = 0;
  std::string label;
  std::string reason;
};
std::vector<Hint> hintsIn(const Analysis& analysis, TextRange range);

} // namespace tikc::ide
