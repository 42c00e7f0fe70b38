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

/// What is recorded as known: findings of one code at one node about one thing, as the check of one
/// file finds them. Paths lead from the baseline's folder.
struct RecordKey {
  std::string checked;  // the file whose check it is
  std::string file;     // the text that they are in: that file, or one that it extends
  std::string contract; // the text's first one where it is empty
  std::string at;       // numerical.drift; empty for the contract as a whole
  diag::Code code{};
  std::string
      about; // p99(latency): what the finding names of the node; empty where it names nothing

  auto operator<=>(const RecordKey&) const = default;
};

/// One that says no more than the node stands for whatever the code finds there.
RecordKey withoutAbout(RecordKey key);

/// "`numerical.drift` of `rollout.tikc.yaml`"
std::string shownPlace(const RecordKey& key);

struct Record {
  std::uint64_t count = 1;
  std::string reason;
  Span span;      // of the entry, in the baseline as it was read
  Span countSpan; // invalid where no count is written
};

/// The findings that a project knows of and has put up with until they are mended.
struct Baseline {
  std::filesystem::path folder;
  std::string name; // as it is displayed
  std::filesystem::path path;
  std::string text;
  std::map<RecordKey, Record> records; // those of one check are neighbours

  /// How many findings it puts up with.
  std::uint64_t countOf(const RecordKey& key) const;
  /// A file as records name it.
  std::string nameOf(const std::filesystem::path& file) const;
};

/// Gives the settings the baseline that lies in their folder, if one does. Entries that are at
/// fault are findings, and record nothing.
llvm::Error addBaseline(SourceManager& sources, Settings& settings, const Limits& limits,
                        diag::Sink& sink);

/// The file as `tikc baseline` writes it: a line an entry, in the order of their keys.
std::string printBaseline(const std::map<RecordKey, Record>& records);

} // namespace tikc::project
