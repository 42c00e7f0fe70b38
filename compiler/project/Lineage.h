#pragma once

#include "support/Limits.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tikc::project {

/// The parent of a contract, according to its own text.
struct Parent {
  std::filesystem::path file; // canonical; the text's own file if it names none
  std::optional<std::string> contract;
};
/// Returns the parent; nothing if the contract extends none, or its file's name is invalid.
std::optional<Parent> parentOf(const yaml::YamlDocument& document,
                               const std::filesystem::path& path);

/// Returns the files that a text extends, except itself.
std::set<std::filesystem::path> parentFilesOf(const std::filesystem::path& path, std::string text,
                                              const Limits& limits);

/// Knows which files extend which.
class Lineage {
public:
  void add(const std::filesystem::path& child, const std::set<std::filesystem::path>& parents);
  /// Returns the files that extend one of the given files, directly or not, each with the file that
  /// it extends; of several, the first that was found. The given files are not included.
  std::map<std::filesystem::path, std::filesystem::path>
  heirsOf(const std::vector<std::filesystem::path>& files) const;

private:
  std::map<std::filesystem::path, std::vector<std::filesystem::path>> children_;
};

} // namespace tikc::project
