#pragma once

#include "changes/Formats.h"
#include "pipeline/Pipeline.h"
#include "project/Inputs.h"
#include "support/Limits.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace tikc::driver {

/// The request for a comparison: OLD, and the paths of NEW.
struct SidesRequest {
  std::string old;
  std::vector<std::string> fresh; // empty for the current folder
  unsigned jobs = 1;
  bool forceExclude = false; // applies to named files, too
  std::string root = {};     // the value of --root; empty if not given
};

/// The files that a run read and checked, with their contracts.
struct CheckedRun {
  const project::Inputs& inputs;
  std::vector<pipeline::CheckedFile> files;
};

struct SidesCompared {
  changes::ComparedContracts compared;
  /// Errors of files that could not be compared.
  std::string oldErrors, newErrors;
  /// Abstract contracts, if there were no others to compare; they promise nothing by themselves.
  std::vector<std::string> onlyBases = {};
  /// Whether contracts that extend a named file were searched for.
  bool hasHeirs = false;

  bool isWhole() const { return oldErrors.empty() && newErrors.empty(); }
};
/// Returns a sentence if only abstract contracts were compared; otherwise empty.
std::string onlyBasesText(const SidesCompared& sides);

/// Reads, checks and compares both sides.
llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesRequest& request);
/// Compares with a new side that a run has already read and checked.
llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesRequest& request, CheckedRun fresh);

} // namespace tikc::driver
