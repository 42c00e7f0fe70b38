#pragma once

#include "diag/Sink.h"
#include "project/Settings.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <llvm/Support/Error.h>

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace tikc::project {

/// The key of a record: findings of one code at one node about one thing, as the check of one file
/// reports them. Paths are relative to the baseline's folder.
struct RecordKey {
  std::string checked;  // the file that was checked
  std::string file;     // the file of the findings: the checked one, or an ancestor
  std::string contract; // empty: the file's first contract
  std::string at;       // such as numerical.drift; empty for the contract as a whole
  diag::Code code{};
  std::string
      about; // such as p99(latency): the part of the node that the finding names; empty if none

  auto operator<=>(const RecordKey&) const = default;
};

/// Returns a key that covers all findings of the code at the node.
RecordKey withoutAbout(RecordKey key);

/// Formats a place: "`numerical.drift` of `rollout.tikc.yaml`"
std::string shownPlace(const RecordKey& key);

struct Record {
  std::uint64_t count = 1;
  std::string reason;
  Span span;      // of the entry in the baseline
  Span countSpan; // invalid if no count is written
};

/// The known findings that a project tolerates until they are fixed.
struct Baseline {
  std::filesystem::path folder;
  std::string name; // the displayed name
  std::filesystem::path path;
  std::string text;
  std::map<RecordKey, Record> records; // records of one check are adjacent

  /// Returns the number of findings that a key tolerates.
  std::uint64_t countOf(const RecordKey& key) const;
  /// Returns a file's name as records use it.
  std::string nameOf(const std::filesystem::path& file) const;
};

/// Adds the baseline of the settings' folder, if there is one. Invalid entries are reported, and
/// record nothing.
llvm::Error addBaseline(SourceManager& sources, Settings& settings, const Limits& limits,
                        diag::Sink& sink);

/// Prints the file as `tikc baseline` writes it: an entry per line, sorted by key.
std::string printBaseline(const std::map<RecordKey, Record>& records);

} // namespace tikc::project
