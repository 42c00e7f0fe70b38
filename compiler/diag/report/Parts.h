#pragma once

#include "diag/report/Report.h"
#include "support/Json.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tikc::diag {

struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t files = 0; // files with findings
};
Counts count(const Report& report);

/// The three severities in another tool's words.
struct SeverityWords {
  std::string_view error;
  std::string_view warning;
  std::string_view note;
};
std::string_view severityWord(const SeverityWords& words, Severity severity);

/// Returns a file's path relative to the repository, without `./` and `a/../`.
std::string normalPath(const Source& source);

/// Returns message, label and notes as text of several lines, for formats that cannot draw.
std::string plainMessage(const Diagnostic& diagnostic);

/// Identifies a finding across runs by its code, its file and the text of its line, but not by the
/// line's number. Equal ones are numbered in order, so all of a run differ.
class Fingerprints {
public:
  std::string next(const SourceManager& sources, const Diagnostic& diagnostic);

private:
  std::map<std::uint64_t, unsigned> seen_;
};

} // namespace tikc::diag
