#pragma once

#include "changes/Formats.h"
#include "pipeline/Pipeline.h"
#include "project/Inputs.h"
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
  std::string root = {};     // as --root says it; empty where it does not
};

/// What a run read and checked, file by file with its contracts.
struct CheckedRun {
  const project::Inputs& inputs;
  std::vector<pipeline::CheckedFile> files;
};

struct SidesCompared {
  changes::ComparedContracts compared;
  /// Of the texts that could not be compared.
  std::string oldErrors, newErrors;
  /// Where nothing was compared: what of it is abstract, and by itself holds nobody to anything.
  std::vector<std::string> onlyBases = {};
  /// What extends a named file was looked for.
  bool hasHeirs = false;

  bool isWhole() const { return oldErrors.empty() && newErrors.empty(); }
};
/// Where nothing was compared but bases: that in a sentence; empty else.
std::string onlyBasesText(const SidesCompared& sides);

/// Reads, checks and compares both sides.
llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesAsked& asked);
/// The same, of whose new side a run has read and checked what it names.
llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesAsked& asked, CheckedRun fresh);

} // namespace tikc::driver
