#pragma once

#include "support/Edits.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <optional>
#include <span>
#include <string_view>

/// Edits that add to a contract in its own style: block or flow, LF or CRLF.
namespace tikc::ide {

/// Returns the ending of the first line; LF if there is none.
std::string_view lineBreakOf(std::string_view text);
/// Returns the start of the line that contains the byte.
std::uint32_t lineStart(std::string_view text, std::uint32_t offset);
/// Returns the end of the line that contains the byte, before the line break.
std::uint32_t lineEnd(std::string_view text, std::uint32_t offset);

/// Adds entries, `key: value`, at the end of a map of the contract, and creates the map if needed.
/// Returns nothing if the map has one of the keys, or is not a map of this file.
std::optional<Edit> insertEntries(const Source& source, const yaml::YamlDocument& document,
                                  FileId file, std::string_view section,
                                  std::span<const std::string_view> entries);

/// Adds a line above the entry or item of a block that contains the place; returns nothing without
/// one.
std::optional<Edit> insertAbove(const Source& source, const yaml::YamlDocument& document,
                                FileId file, std::uint32_t offset, std::string_view line);

} // namespace tikc::ide
