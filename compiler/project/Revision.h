#pragma once

#include "support/Limits.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tikc::project {

/// A temporary folder of this process, deleted with its content.
class PassingFolder {
public:
  static llvm::Expected<PassingFolder> make();
  PassingFolder(PassingFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PassingFolder& operator=(PassingFolder&&) = delete;
  ~PassingFolder();
  /// Deletes all such folders, and prevents new ones, for a process that ends while threads are
  /// running.
  static void endAll();

  const std::filesystem::path& path() const { return path_; }
  /// Adds a file below it, and the folders that the file needs.
  llvm::Error add(const std::filesystem::path& file, std::string_view text) const;
  llvm::Error addFolder(const std::filesystem::path& folder) const;
  /// Adds a link below it to another file below it.
  llvm::Error addLink(const std::filesystem::path& link, const std::filesystem::path& to) const;

private:
  static llvm::Error change(llvm::function_ref<llvm::Error()> act);
  explicit PassingFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

/// A revision resolved to a tree: names such as HEAD may move later.
struct NamedTree {
  std::string name;
  std::filesystem::path top; // of the repository's work tree
  std::string tree;          // the id of its object
};
/// Resolves a revision in the repository that contains a folder.
llvm::Expected<NamedTree> treeNamed(const std::string& name, const std::filesystem::path& near);

/// Contracts of a Git revision, extracted to their own folder together with their ancestors and
/// settings. Of links, it has those in folders to contracts of the revision.
class Revision {
public:
  static llvm::Expected<Revision> open(const NamedTree& named, const Limits& limits);

  /// Extracts a file or folder of the work tree. Returns its new path, or nothing if the revision
  /// lacks it. The existing part of `path` is canonical.
  llvm::Expected<std::optional<std::filesystem::path>> layOut(const std::filesystem::path& path);
  /// Extracts a path that is relative to the top of the repository.
  llvm::Expected<std::optional<std::filesystem::path>> layOutNamed(const std::string& path);
  /// Creates the folder to which a folder of the work tree would be extracted, and returns it. For
  /// a folder that contains the work tree, that is the folder of the top.
  llvm::Expected<std::filesystem::path> layOutFolder(const std::filesystem::path& path);
  /// The folder with the extracted files, and the top of the repository.
  const std::filesystem::path& folder() const { return folder_.path(); }
  const std::filesystem::path& top() const { return top_; }
  /// Returns the displayed name of an extracted path: "git:HEAD~1:/contracts/a.tikc.yaml"
  std::string displayOf(const std::filesystem::path& laidOut) const;

private:
  struct Blob {
    std::string id;
    std::uint64_t size = 0;
  };

  Revision(std::string name, std::filesystem::path top, PassingFolder folder, const Limits& limits)
      : name_(std::move(name)), top_(std::move(top)), folder_(std::move(folder)), limits_(limits) {}

  llvm::Error readTree(const std::string& tree);
  void addBlob(std::string_view line);
  llvm::Error refuseUnread(const std::string& path) const;
  std::set<std::string> asked(const std::string& path) const;
  llvm::Expected<std::vector<std::string>> textsOf(const std::vector<Blob>& blobs) const;
  llvm::Error write(const std::vector<std::string>& paths);
  /// Creates the links to contracts below a folder, and adds their targets to the wanted paths.
  llvm::Error follow(const std::string& folder, std::set<std::string>& wanted);
  std::set<std::string> parentsOf(const std::vector<std::string>& paths) const;

  std::string name_;
  std::filesystem::path top_;
  PassingFolder folder_;
  const Limits& limits_;
  enum class Omission : std::uint8_t { Link, Missing };
  std::map<std::string, Omission> unread_; // by path: entries of the tree that are not read
  std::map<std::string, Blob> blobs_;      // by their paths from the top
  std::map<std::string, Blob> links_;      // by their paths from the top
  std::set<std::string> written_;
};

} // namespace tikc::project
