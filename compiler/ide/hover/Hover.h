#pragma once

#include "ide/Analysis.h"

#include <optional>
#include <string>

namespace tikc::ide {

/// The text of a hover, and its place.
struct Hover {
  Span span;
  std::string text; // Markdown or plain text
};
/// Whether the hover needs a slow search, which must not run on a thread that others wait for.
bool isSearchedFor(const Analysis& analysis, std::uint32_t offset);
/// Returns nothing if nothing is known about the place.
std::optional<Hover> hoverAt(const Analysis& analysis, std::uint32_t offset, bool asMarkdown);

} // namespace tikc::ide
