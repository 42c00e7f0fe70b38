#pragma once

#include "diag/Diagnostic.h"
#include "pipeline/Pipeline.h"
#include "support/Source.h"

#include <span>
#include <vector>

namespace tikc::pipeline {

/// Returns the findings of all files in one list. Each thread reads the parents that it meets, so
/// one file may have several ids, which are merged. A finding of several children in a shared
/// parent is kept once. The result does not depend on which thread checked which file.
std::vector<diag::Diagnostic> mergeFindings(const SourceManager& sources,
                                            std::span<CheckedFile> results);

/// Returns the number of findings that the projects' baselines record, each counted once.
std::uint64_t countRecorded(const SourceManager& sources, std::span<const CheckedFile> results);

} // namespace tikc::pipeline
