#pragma once

#include "data/inspect/Summary.h"

#include <span>
#include <string>

namespace tikc::measure {

/// The results of `tikc inspect`.
struct Inspection {
  const data::Source& source;
  const data::Summary& summary;
  std::span<const std::string> named; // as on the command line
  std::string options;                // the options that affect how data are read
  std::string join;                   // the field that joins records, if any
};

/// Returns a word quoted for a shell.
std::string shellWord(std::string_view word);
/// Returns the files of the command line, each after a space.
std::string typedFiles(const Inspection& inspection);
std::string inspectionText(const Inspection& inspection);
/// Returns the end of the report: possible faults of the data, and the next command to run.
std::string inspectionAdvice(const Inspection& inspection);
/// Follows schemas/inspection.v1.schema.json.
std::string inspectionJson(const Inspection& inspection);

} // namespace tikc::measure
