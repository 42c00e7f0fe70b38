#pragma once

#include "support/Limits.h"
#include "support/Source.h"
#include "syntax/Tree.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tikc::project {

/// Whom a contract extends, so far as its own text tells.
struct Parent {
  std::filesystem::path file; // canonical; that of the text itself where it names none
  std::optional<std::string> contract;
};
/// Nothing where it extends none, or a file that cannot be named.
std::optional<Parent> parentOf(const syntax::YamlDocument& document,
                               const std::filesystem::path& path);

/// The files that a text extends, but for itself.
std::set<std::filesystem::path> parentFilesOf(const std::filesystem::path& path, std::string text,
                                              const Limits& limits);

/// Which files extend which.
class Lineage {
public:
  void add(const std::filesystem::path& child, const std::set<std::filesystem::path>& parents);
  /// Those that extend one of the files, directly or not, each with the one that it extends: the
  /// first that was found, where there are several. The files themselves are not among them.
  std::map<std::filesystem::path, std::filesystem::path>
  heirsOf(const std::vector<std::filesystem::path>& files) const;

private:
  std::map<std::filesystem::path, std::vector<std::filesystem::path>> children_;
};

} // namespace tikc::project
