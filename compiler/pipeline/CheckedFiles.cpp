#include "pipeline/CheckedFiles.h"

#include "pipeline/Merge.h"

#include <algorithm>

namespace tikc::pipeline {

std::uint64_t countAndForget(CheckedFile& file) {
  std::uint64_t count = file.contracts.size();
  file.contracts = {};
  file.proofs = {};
  file.tree = {};
  file.parents = {};
  return count;
}

bool isFaulty(const CheckedFile& file) {
  for (std::size_t i = 0; i < file.contracts.size(); ++i)
    if (!file.contracts[i].isAbstract && !file.proofs[i])
      return true;
  return std::any_of(file.diagnostics.begin(), file.diagnostics.end(), diag::isFaultOfText);
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
