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

/// Text to stand in the place of a span.
struct Edit {
  Span span;
  std::string text;
  auto operator<=>(const Edit&) const = default;
};

/// Edits of one or more texts that can all be applied at once: no two share a byte, and none
/// inserts where another begins or ends, since their order would be a guess.
class EditSet {
public:
  /// Takes what one fix is made of, whole or not at all. Its own edits may insert at one place;
  /// they keep their order. False: it meets an edit that is there, or its edits overlap one
  /// another.
  bool add(std::span<const Edit> edits);

  bool empty() const { return edits_.empty(); }
  bool touches(FileId file) const { return edits_.contains(file); }
  /// The file's text with its edits; whatever they do not name stays byte for byte.
  std::string apply(FileId file, std::string_view text) const;
  /// Where a byte of the edited text came from; for one that was put in, where it was put.
  std::uint32_t origin(FileId file, std::uint32_t edited) const;
  /// The spans that the file's edits fill in the edited text.
  std::vector<Span> written(FileId file) const;

private:
  std::span<const Edit> of(FileId file) const;

  std::map<FileId, std::vector<Edit>> edits_; // sorted by span
};

} // namespace tikc
