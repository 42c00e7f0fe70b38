#pragma once

#include "diag/Diagnostic.h"
#include "support/Source.h"

#include <string>

namespace tikc::diag {

struct DrawingOptions {
  bool color = false;
  /// Cells of the terminal. What does not fit of a source line becomes an ellipsis.
  unsigned width = 120;
};

/// A finding for people: source lines, carets and suggested edits.
std::string renderText(const SourceManager& sources, const Diagnostic& diagnostic,
                       const DrawingOptions& options = {});

/// "a.tikc.yaml:3:7".
std::string shownPlace(const SourceManager& sources, const Span& span);

} // namespace tikc::diag
