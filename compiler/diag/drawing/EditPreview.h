#pragma once

#include "diag/Diagnostic.h"
#include "support/Source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tikc::diag::drawing {

/// A line that a fix removes or adds, with the first byte that differs from its counterpart.
struct ChangedLine {
  bool added;
  FileId file;
  std::uint32_t line; // from 1
  std::string text;
  std::size_t differsAt;
};

/// Returns the changed lines in order; nothing if the change is too large or invisible.
std::optional<std::vector<ChangedLine>> previewEdits(const SourceManager& sources,
                                                     std::vector<Edit> edits);

} // namespace tikc::diag::drawing
