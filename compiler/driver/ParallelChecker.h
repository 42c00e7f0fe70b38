#pragma once

#include "pipeline/CheckedFiles.h"
#include "project/Inputs.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <functional>
#include <vector>

namespace tikc::driver {

/// Checks files with so many threads; what comes out does not depend on how many.
class ParallelChecker {
public:
  ParallelChecker(SourceManager& sources, const Limits& limits, unsigned jobs,
                  bool countsVerdictsOnly = false)
      : sources_(sources), limits_(limits), jobs_(jobs), countsVerdictsOnly_(countsVerdictsOnly) {}

  /// Called for each file by its number, by whichever thread checked it, before what is not
  /// reported of it is forgotten.
  using Look = std::function<void(std::size_t, const pipeline::CheckedFile&)>;

  pipeline::CheckedFiles check(const std::vector<project::InputFile>& files,
                               const Look& look = {}) const;

private:
  SourceManager& sources_;
  const Limits& limits_;
  unsigned jobs_;
  bool countsVerdictsOnly_;
};

} // namespace tikc::driver
