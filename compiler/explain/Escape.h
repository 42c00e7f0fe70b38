#pragma once

#include <string>
#include <string_view>

/// What a contract's author wrote, made harmless in each format.
namespace tikc::explain {

/// For text and for attributes in double quotes, of HTML and of XML.
std::string html(std::string_view text);
/// For running text and table cells.
std::string markdown(std::string_view text);
/// In backticks, more of them than the text has in a row.
std::string markdownCode(std::string_view text, bool mayBeInTable = true);
/// For the destination of a link.
std::string linkPath(std::string_view path);
/// For a string in double quotes.
std::string dot(std::string_view text);
/// For a label in double quotes of Mermaid, which reads entities, directives and HTML there.
std::string mermaid(std::string_view text);
/// A name that can stand in an id: letters, digits and hyphens alone.
std::string anchor(std::string_view text);

} // namespace tikc::explain
