#pragma once

#include "diag/Diagnostic.h"
#include "project/Settings.h"
#include "support/Limits.h"
#include "support/Names.h"
#include "support/Source.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tikc::project {

inline constexpr std::string_view contractSuffix = ".tikc.yaml";

bool isBelow(const std::filesystem::path& path, const std::filesystem::path& folder);
/// Whether a folder is a tool's own, by its name or by what the tool says in it: a repository's, of
/// dependencies, a cache, a build. What lies there is nobody's contract, or a copy.
bool isOfTools(const std::filesystem::path& folder);

/// Which settings hold in which folder, and which contracts a folder has. Each tikc.yaml is read
/// once.
class Projects {
public:
  struct Found {
    std::string display;
    std::filesystem::path path; // canonical
    bool isNamed = false;       // it is walked whosever it is
  };
  struct Listing {
    std::vector<Found> folders, files;
    /// A sentence for each that has a contract's name and is no file.
    std::vector<std::string> passedOver;
    bool excludesAny = false;
  };

  /// Files end in one of the suffixes, as ".a|.b".
  Projects(SourceManager& sources, const Limits& limits, std::string_view suffixes = contractSuffix)
      : sources_(sources), limits_(limits), suffixes_(splitWords(suffixes)) {}

  /// Overrides the root of every tikc.yaml; canonical.
  void setRoot(std::filesystem::path root) { root_ = std::move(root); }
  /// From now on nothing that a baseline records is passed over.
  void ignoreBaselines() { ignoresBaselines_ = true; }
  /// `start` is the project where neither tikc.yaml nor a repository says so. Null where the
  /// settings cannot be read, which is a fault.
  const Settings* settingsFor(const std::filesystem::path& folder,
                              const std::filesystem::path& start);
  /// What is directly in a folder, without what its settings exclude, and what is of tools.
  Listing list(const Found& folder, const std::filesystem::path& start);
  /// The files of a folder and of all below it, in the order of what is displayed.
  Listing listAll(const Found& folder, const std::filesystem::path& start);

  /// Findings in the tikc.yaml files that were met.
  const std::vector<diag::Diagnostic>& findings() const { return findings_; }
  /// A sentence for each thing of the world that could not be read.
  std::vector<std::string> takeFaults() { return std::exchange(faults_, {}); }

private:
  bool mayLeadTo(const std::filesystem::path& file, const std::filesystem::path& root) const;
  const std::filesystem::path& markedAncestor(const std::filesystem::path& folder);

  SourceManager& sources_;
  const Limits& limits_;
  bool hasSuffix(std::string_view name) const;

  std::vector<std::string_view> suffixes_;
  std::filesystem::path root_;
  bool ignoresBaselines_ = false;
  std::map<std::filesystem::path, std::filesystem::path> marked_;
  std::map<std::filesystem::path, std::unique_ptr<Settings>> settings_;
  std::vector<diag::Diagnostic> findings_;
  std::vector<std::string> faults_;
};

} // namespace tikc::project
