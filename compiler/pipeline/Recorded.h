#pragma once

#include "diag/Sink.h"
#include "pipeline/Pipeline.h"
#include "project/Baseline.h"
#include "support/Source.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace tikc::pipeline {

/// Returns the baseline key of a finding, for a baseline in the folder; nothing for a finding
/// without a file.
std::optional<project::RecordKey> recordKeyOf(const SourceManager& sources,
                                              const std::filesystem::path& folder,
                                              const CheckedFile& file,
                                              const diag::Diagnostic& finding);

/// Compares the findings of one check with the project's baseline. If there are more findings of a
/// key than are recorded, the new ones are unknown, and all are shown.
class RecordedFindings {
public:
  RecordedFindings(const SourceManager& sources, const project::Baseline& baseline,
                   CheckedFile& file);

  /// Moves recorded findings to a separate list.
  void passOver();
  /// Reports records of this check without findings, at their place in the baseline's `text`.
  void reportStale(llvm::function_ref<FileId()> text, diag::Sink& sink) const;

private:
  std::uint64_t allowed(const project::RecordKey& key) const;
  /// Returns the number of findings that a record of this check still covers.
  std::uint64_t left(const project::RecordKey& key, const project::Record& record) const;
  void reportOne(const project::RecordKey& key, const project::Record& record, FileId text,
                 diag::Sink& sink) const;

  const SourceManager& sources_;
  const project::Baseline& baseline_;
  CheckedFile& file_;
  std::vector<std::optional<project::RecordKey>> keys_; // by finding
  std::map<project::RecordKey, std::uint64_t> found_;
};

} // namespace tikc::pipeline
