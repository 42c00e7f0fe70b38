#pragma once

#include "diag/Diagnostic.h"
#include "pipeline/Inputs.h"
#include "pipeline/Pipeline.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <cstdint>
#include <vector>

namespace tikc::driver {

/// What is known of many files, in their order.
struct Checked {
  std::vector<pipeline::CheckedFile> results; // without models and proofs
  std::vector<std::uint64_t> contracts;       // their number in each file
};

/// Checks files with so many threads; what comes out does not depend on how many.
class Checking {
public:
  Checking(SourceManager& sources, const Limits& limits, unsigned jobs)
      : sources_(sources), limits_(limits), jobs_(jobs) {}

  Checked check(const std::vector<pipeline::Input>& files) const;
  /// The findings of all files in one list, as they are reported.
  std::vector<diag::Diagnostic> findings(const Checked& checked) const;

private:
  SourceManager& sources_;
  const Limits& limits_;
  unsigned jobs_;
};

} // namespace tikc::driver
