#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tikc {

/// Columns of a page of text.
inline constexpr std::size_t pageWidth = 92;

/// Words of text in lines of a page's width, each after the first behind an indent; `used` columns
/// of the first are taken.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t used);

} // namespace tikc
