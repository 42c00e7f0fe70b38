#pragma once

#include "support/Span.h"

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc {

/// A text that replaces a span.
struct Edit {
  Span span;
  std::string text;
  auto operator<=>(const Edit&) const = default;
};

/// A set of edits that can be applied together. No two edits share a byte, and none inserts where
/// another begins or ends, because their order would be a guess.
class EditSet {
public:
  /// Adds all edits of one fix, or none. Edits of one fix may insert at the same place and keep
  /// their order. Returns false if they overlap each other or touch an edit of the set.
  bool add(std::span<const Edit> edits);

  bool empty() const { return edits_.empty(); }
  bool touches(FileId file) const { return edits_.contains(file); }
  /// Returns the text with the file's edits; all other bytes stay as they are.
  std::string apply(FileId file, std::string_view text) const;
  /// Returns the offset in the original text of a byte in the edited text; for an inserted byte,
  /// where it was inserted.
  std::uint32_t origin(FileId file, std::uint32_t edited) const;
  /// Returns the spans of the edited text that the file's edits fill.
  std::vector<Span> written(FileId file) const;

private:
  std::span<const Edit> of(FileId file) const;

  std::map<FileId, std::vector<Edit>> edits_; // sorted by span
};

} // namespace tikc
