#pragma once

#include "pipeline/CheckedFiles.h"
#include "project/Inputs.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <vector>

namespace tikc::driver {

/// Checks files with so many threads; what comes out does not depend on how many.
class ParallelChecker {
public:
  ParallelChecker(SourceManager& sources, const Limits& limits, unsigned jobs,
                  bool countsVerdictsOnly = false)
      : sources_(sources), limits_(limits), jobs_(jobs), countsVerdictsOnly_(countsVerdictsOnly) {}

  pipeline::CheckedFiles check(const std::vector<project::InputFile>& files) const;

private:
  SourceManager& sources_;
  const Limits& limits_;
  unsigned jobs_;
  bool countsVerdictsOnly_;
};

} // namespace tikc::driver
