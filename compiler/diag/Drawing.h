#pragma once

#include "diag/Diagnostic.h"
#include "support/Source.h"

#include <string>

namespace tikc::diag {

struct DrawingOptions {
  bool color = false;
  /// In terminal cells. An ellipsis replaces the rest of a longer source line.
  unsigned width = 120;
};

/// Returns a finding for people, with source lines, carets and suggested edits.
std::string renderText(const SourceManager& sources, const Diagnostic& diagnostic,
                       const DrawingOptions& options = {});

/// Returns "a.tikc.yaml:3:7".
std::string shownPlace(const SourceManager& sources, const Span& span);

} // namespace tikc::diag
