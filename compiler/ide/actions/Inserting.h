#pragma once

#include "support/Edits.h"
#include "support/Source.h"
#include "syntax/Tree.h"

#include <optional>
#include <span>
#include <string_view>

/// Edits that add to a contract in the form that it has: block or flow, LF or CRLF.
namespace tikc::ide {

/// What ends the first line; a line feed where nothing does.
std::string_view lineBreakOf(std::string_view text);
/// The beginning of the line that holds a byte.
std::uint32_t lineStart(std::string_view text, std::uint32_t offset);
/// The end of its text, before the line break.
std::uint32_t lineEnd(std::string_view text, std::uint32_t offset);

/// Adds entries, `key: value`, at the end of a map of the contract, which is made where there is
/// none. Nothing where it has one of the keys already, or is no map of this file.
std::optional<Edit> insertEntries(const Source& source, const syntax::YamlDocument& document,
                                  FileId file, std::string_view section,
                                  std::span<const std::string_view> entries);

/// Adds a line above the entry or item of a block that holds the place; nothing where none does.
std::optional<Edit> insertAbove(const Source& source, const syntax::YamlDocument& document,
                                FileId file, std::uint32_t offset, std::string_view line);

} // namespace tikc::ide
