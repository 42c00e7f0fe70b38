#pragma once

#include "ide/Analysis.h"

#include <string>
#include <vector>

namespace tikc::ide {

/// A few words that an editor shows behind a comparison: what follows from it, what became of it.
struct Hint {
  std::uint32_t offset = 0;
  std::string label;
  std::string reason;
};
std::vector<Hint> hintsIn(const Analysis& analysis, TextRange range);

} // namespace tikc::ide
