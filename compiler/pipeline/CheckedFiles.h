#pragma once

#include "pipeline/Pipeline.h"

#include <cstdint>
#include <vector>

namespace tikc::pipeline {

/// What is known of many files, in their order.
struct CheckedFiles {
  std::vector<CheckedFile> results;     // without models and proofs
  std::vector<std::uint64_t> contracts; // their number in each file
};

/// Counts what a file defines, and forgets its models: a thousand of them are better gone.
std::uint64_t countAndForget(CheckedFile& file);

/// Whether the text is at fault, so that not all could be found, and what it means is not known.
/// No setting or baseline changes the answer.
bool isFaulty(const CheckedFile& file);

/// The findings of all files in one list, as they are reported.
std::vector<diag::Diagnostic> findingsOf(const SourceManager& sources, const CheckedFiles& checked);

} // namespace tikc::pipeline
