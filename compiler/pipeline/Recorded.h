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

/// What a finding of a file's check is recorded as in a baseline of the folder; nothing where it
/// stands in no file.
std::optional<project::RecordKey> recordKeyOf(const SourceManager& sources,
                                              const std::filesystem::path& folder,
                                              const CheckedFile& file,
                                              const diag::Diagnostic& finding);

/// Holds the findings of one check to what the project has recorded. Where there are more of a
/// code about one thing than are recorded, nobody can tell which of them are new, and all are
/// shown.
class RecordedFindings {
public:
  RecordedFindings(const SourceManager& sources, const project::Baseline& baseline,
                   CheckedFile& file);

  /// Puts apart what is recorded.
  void passOver();
  /// Reports what is recorded of this check and gone, in the baseline's `text`.
  void reportStale(llvm::function_ref<FileId()> text, diag::Sink& sink) const;

private:
  std::uint64_t allowed(const project::RecordKey& key) const;
  /// How many findings a record of this check still stands for.
  std::uint64_t left(const project::RecordKey& key, const project::Record& record) const;
  void reportOne(const project::RecordKey& key, const project::Record& record, FileId text,
                 diag::Sink& sink) const;

  const SourceManager& sources_;
  const project::Baseline& baseline_;
  CheckedFile& file_;
  std::vector<std::optional<project::RecordKey>> keys_; // of the findings
  std::map<project::RecordKey, std::uint64_t> found_;
};

} // namespace tikc::pipeline
