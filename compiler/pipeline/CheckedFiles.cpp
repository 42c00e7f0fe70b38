#include "pipeline/CheckedFiles.h"

#include "pipeline/Merge.h"

namespace tikc::pipeline {

std::uint64_t countAndForget(CheckedFile& file) {
  std::uint64_t count = file.contracts.size();
  file.contracts = {};
  file.proofs = {};
  file.tree = {};
  file.parents = {};
  return count;
}

std::vector<diag::Diagnostic> findingsOf(const SourceManager& sources,
                                         const CheckedFiles& checked) {
  std::vector<CheckedFile> copies;
  for (const CheckedFile& result : checked.results) {
    copies.emplace_back();
    copies.back().file = result.file;
    copies.back().diagnostics = result.diagnostics;
  }
  return mergeFindings(sources, copies);
}

} // namespace tikc::pipeline
