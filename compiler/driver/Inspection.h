#pragma once

#include "data/inspect/Summary.h"

#include <span>
#include <string>

namespace tikc::driver {

/// What `tikc inspect` tells.
struct Inspection {
  const data::Source& source;
  const data::Summary& summary;
  std::span<const std::string> named; // as on the command line
  std::string options;                // those that say how data are read
  std::string join;                   // the field of a join, if it is one
};

/// A word of a command line, as a shell takes it.
std::string shellWord(std::string_view word);
/// The files of a command line, each behind a space.
std::string typedFiles(const Inspection& of);
std::string inspectionText(const Inspection& inspection);
/// The end of it: what may be wrong with the data, and the command to type next.
std::string inspectionAdvice(const Inspection& inspection);
/// By schemas/inspection.v1.schema.json.
std::string inspectionJson(const Inspection& inspection);

} // namespace tikc::driver
