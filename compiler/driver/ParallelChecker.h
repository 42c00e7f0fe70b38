#pragma once

#include "pipeline/CheckedFiles.h"
#include "project/Inputs.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <functional>
#include <vector>

namespace tikc::driver {

/// Checks files with several threads; the result does not depend on their number.
class ParallelChecker {
public:
  ParallelChecker(SourceManager& sources, const Limits& limits, unsigned jobs,
                  bool countsVerdictsOnly = false)
      : sources_(sources), limits_(limits), jobs_(jobs), countsVerdictsOnly_(countsVerdictsOnly) {}

  /// Called with each file's number on the thread that checked it, before details are dropped.
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
