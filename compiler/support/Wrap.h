#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tikc {

/// The width of a page of text in columns.
inline constexpr std::size_t pageWidth = 92;

/// Returns the text wrapped to the page's width. Lines after the first are indented; `used` columns
/// of the first are taken.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t used);

} // namespace tikc
