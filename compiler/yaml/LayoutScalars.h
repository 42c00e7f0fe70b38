#pragma once

#include "yaml/Tree.h"

#include <cstddef>
#include <string>
#include <string_view>

/// Re-indents scalars of several lines without a change of their values.
namespace tikc::yaml {

std::string_view trimmedRight(std::string_view text);

/// Returns whether the header of a block scalar states its indentation: `|2`.
bool statesIndent(std::string_view block);
/// Returns whether the line feeds after a block scalar belong to its text: `|+`.
bool keepsLineFeeds(std::string_view block);

/// Moves every line of a block scalar as far as the first one.
std::string layOutBlock(std::string_view text, std::size_t before, std::size_t indent,
                        std::string_view lineEnd);
/// Re-indents a plain or quoted scalar. Whitespace at the ends of its lines is not part of the
/// text; empty lines are.
std::string layOutFolded(std::string_view text, Style style, std::size_t indent,
                         std::string_view lineEnd);

} // namespace tikc::yaml
