#pragma once

#include "ide/Analysis.h"

#include <optional>
#include <string>

namespace tikc::ide {

/// What is told of the thing at a place, and where that is.
struct Hover {
  Span span;
  std::string text; // Markdown, or plain
};
/// Whether it takes long to find out what is told there: it is for no thread that others wait for.
bool isSearchedFor(const Analysis& analysis, std::uint32_t offset);
/// Nothing where nothing is known of it.
std::optional<Hover> hoverAt(const Analysis& analysis, std::uint32_t offset, bool asMarkdown);

} // namespace tikc::ide
