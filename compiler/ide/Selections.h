#pragma once

#include "ide/Analysis.h"

#include <vector>

namespace tikc::ide {

/// What may be selected around a place: the whole text, then each within the one before.
std::vector<Span> selectionsAt(const Analysis& analysis, std::uint32_t offset);

} // namespace tikc::ide
