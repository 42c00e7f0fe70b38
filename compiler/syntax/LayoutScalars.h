#pragma once

#include "syntax/Tree.h"

#include <cstddef>
#include <string>
#include <string_view>

/// The texts of scalars of several lines, indented anew without a change of their values.
namespace tikc::syntax {

std::string_view trimmedRight(std::string_view text);

/// Whether the header of a block scalar says so: `|2`.
bool statesIndent(std::string_view block);
/// Whether the line feeds after a block scalar are its text: `|+`.
bool keepsLineFeeds(std::string_view block);

/// Every line of a block scalar moves as far as the first one.
std::string layOutBlock(std::string_view text, std::size_t before, std::size_t indent,
                        std::string_view lineEnd);
/// Blanks at the ends of the lines of a plain or quoted scalar are no text; empty lines are.
std::string layOutFolded(std::string_view text, Style style, std::size_t indent,
                         std::string_view lineEnd);

} // namespace tikc::syntax
