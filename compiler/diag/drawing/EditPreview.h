#pragma once

#include "diag/Diagnostic.h"
#include "support/Source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tikc::diag::drawing {

/// A line that a fix takes away or brings, with the first byte in which it differs from its
/// counterpart.
struct ChangedLine {
  bool added;
  FileId file;
  std::uint32_t line; // from 1
  std::string text;
  std::size_t differsAt;
};

/// What applying the edits does to the lines, in order; nothing where that is too much to show or
/// is invisible.
std::optional<std::vector<ChangedLine>> previewEdits(const SourceManager& sources,
                                                     std::vector<Edit> edits);

} // namespace tikc::diag::drawing
