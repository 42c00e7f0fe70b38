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
/// Returns whether a folder belongs to a tool, by its name or its content: a repository,
/// dependencies, a cache, a build. Contracts in it are copies, or not the user's.
bool isOfTools(const std::filesystem::path& folder);

/// Finds the settings of folders and the contracts in them. Each tikc.yaml is read once.
class Projects {
public:
  struct ListedPath {
    std::string display;
    std::filesystem::path path; // canonical
    bool isNamed = false;       // it is searched even if it belongs to a tool
  };
  struct Listing {
    std::vector<ListedPath> folders, files;
    /// Messages about entries that have a contract's name and are not files.
    std::vector<std::string> passedOver;
    bool excludesAny = false;
  };

  /// Selects files with one of the suffixes, given as ".a|.b".
  Projects(SourceManager& sources, const Limits& limits, std::string_view suffixes = contractSuffix)
      : sources_(sources), limits_(limits), suffixes_(splitWords(suffixes)) {}

  /// Overrides the root of every tikc.yaml; canonical.
  void setRoot(std::filesystem::path root) { root_ = std::move(root); }
  /// From now on, reports findings that a baseline records.
  void ignoreBaselines() { ignoresBaselines_ = true; }
  /// Returns the settings of a folder. `start` is the project if neither tikc.yaml nor a repository
  /// marks one. Returns null, with a fault, if the settings cannot be read.
  const Settings* settingsFor(const std::filesystem::path& folder,
                              const std::filesystem::path& start);
  /// Lists the direct content of a folder, without excluded files and folders of tools.
  Listing list(const ListedPath& folder, const std::filesystem::path& start);
  /// Lists the files of a folder and its subfolders, in display order.
  Listing listAll(const ListedPath& folder, const std::filesystem::path& start);

  /// The findings in the tikc.yaml files that were read.
  const std::vector<diag::Diagnostic>& findings() const { return findings_; }
  /// Returns and clears the messages about paths that could not be read.
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
