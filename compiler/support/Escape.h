#pragma once

#include <string>
#include <string_view>

/// Escapes authors' texts for each format.
namespace tikc::escape {

/// For text and double-quoted attributes of HTML and XML.
std::string html(std::string_view text);
/// For running text and table cells.
std::string markdown(std::string_view text);
/// In backticks, more of them than the text has in sequence.
std::string markdownCode(std::string_view text, bool mayBeInTable = true);
/// For the destination of a link.
std::string linkPath(std::string_view path);
/// For a double-quoted string.
std::string dot(std::string_view text);
/// For a double-quoted label of Mermaid, which interprets entities, directives and HTML.
std::string mermaid(std::string_view text);
/// Returns a word as a shell reads it, quoted only if necessary.
std::string shellWord(std::string_view word);
/// Returns a name for an id: letters, digits and hyphens.
std::string anchor(std::string_view text);
/// Returns an author's text on one line, without control characters.
std::string oneLine(std::string_view text);

} // namespace tikc::escape
