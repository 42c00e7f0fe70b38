#pragma once

#include "support/Source.h"

#include <string>
#include <string_view>

namespace tikc::diag {

/// An annotation that GitHub Actions shows next to a line.
struct Annotation {
  std::string_view level; // error, warning or notice
  Span span;              // invalid for no file
  std::string title, text;
};
/// Returns the command that the runner reads from the output.
std::string annotation(const SourceManager& sources, const Annotation& content);

} // namespace tikc::diag
