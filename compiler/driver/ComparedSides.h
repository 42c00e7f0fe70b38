#pragma once

#include "changes/Formats.h"
#include "support/Limits.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace tikc::driver {

/// What a command line asks to compare: OLD, and the paths of NEW.
struct SidesAsked {
  std::string old;
  std::vector<std::string> fresh; // none: the current folder
  unsigned jobs = 1;
  bool forceExclude = false; // also of what is named
};

struct SidesCompared {
  changes::ComparedContracts compared;
  /// Of the texts that could not be compared.
  std::string oldErrors, newErrors;

  bool isWhole() const { return oldErrors.empty() && newErrors.empty(); }
};

/// Reads, checks and compares both sides.
llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesAsked& asked);

} // namespace tikc::driver
