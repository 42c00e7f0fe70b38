#pragma once

#include "ide/Analysis.h"

#include <vector>

namespace tikc::ide {

/// Returns the selections around a place: the whole text first, then each within the one before.
std::vector<Span> selectionsAt(const Analysis& analysis, std::uint32_t offset);

} // namespace tikc::ide
