#pragma once

#include "support/Source.h"

#include <string>
#include <string_view>

namespace tikc::report {

/// What a run of GitHub Actions shows beside a line.
struct Annotation {
  std::string_view level; // error, warning or notice
  Span span;              // where it is invalid, it belongs to no file
  std::string title, text;
};
/// The command that the runner reads from the output.
std::string annotation(const SourceManager& sources, const Annotation& of);

} // namespace tikc::report
