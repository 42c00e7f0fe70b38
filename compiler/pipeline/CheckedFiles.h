#pragma once

#include "pipeline/Pipeline.h"

#include <cstdint>
#include <vector>

namespace tikc::pipeline {

/// The results of many files, in order.
struct CheckedFiles {
  std::vector<CheckedFile> results;     // without models and proofs
  std::vector<std::uint64_t> contracts; // the number of contracts in each file
};

/// Returns the number of contracts in a file, and frees its models, proofs and trees: thousands of
/// them need too much memory.
std::uint64_t countAndForget(CheckedFile& file);

/// Returns whether the text is at fault, so that its findings may be incomplete and its meaning is
/// unknown. Settings and baselines do not change the answer.
bool isFaulty(const CheckedFile& file);

/// Returns the findings of all files in one list, in the order of reports.
std::vector<diag::Diagnostic> findingsOf(const SourceManager& sources, const CheckedFiles& checked);

} // namespace tikc::pipeline
