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

/// A folder of this process, which goes with all that is in it.
class PassingFolder {
public:
  static llvm::Expected<PassingFolder> make();
  PassingFolder(PassingFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PassingFolder& operator=(PassingFolder&&) = delete;
  ~PassingFolder();
  /// For who ends the process while threads are at work: no more is made, and what there is goes.
  static void endAll();

  const std::filesystem::path& path() const { return path_; }
  /// A file below it, with the folders that it needs.
  llvm::Error add(const std::filesystem::path& file, std::string_view text) const;
  llvm::Error addFolder(const std::filesystem::path& folder) const;
  /// A link below it to another file below it.
  llvm::Error addLink(const std::filesystem::path& link, const std::filesystem::path& to) const;

private:
  static llvm::Error change(llvm::function_ref<llvm::Error()> act);
  explicit PassingFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

/// A revision by what it names now: a name such as HEAD moves.
struct NamedTree {
  std::string name;
  std::filesystem::path top; // of the repository's work tree
  std::string tree;          // the id of its object
};
/// Of the repository that a folder lies in.
llvm::Expected<NamedTree> treeNamed(const std::string& name, const std::filesystem::path& near);

/// Contracts as a Git repository has them at a revision: laid out as files in a folder of their
/// own, with what they extend and the settings that hold for them. Of links those are there that a
/// folder has to contracts of the revision.
class Revision {
public:
  static llvm::Expected<Revision> open(const NamedTree& named, const Limits& limits);

  /// Where a file or a folder of the work tree is laid out; nothing where the revision does not
  /// have it. `path` is canonical as far as it exists.
  llvm::Expected<std::optional<std::filesystem::path>> layOut(const std::filesystem::path& path);
  /// The same of a path that is relative to the top of the repository.
  llvm::Expected<std::optional<std::filesystem::path>> layOutNamed(const std::string& path);
  /// Where a folder of the work tree would be laid out, which is made: of one that the work tree
  /// lies in, where the top is.
  llvm::Expected<std::filesystem::path> layOutFolder(const std::filesystem::path& path);
  /// Where the top of the repository is laid out, and the top itself.
  const std::filesystem::path& folder() const { return folder_.path(); }
  const std::filesystem::path& top() const { return top_; }
  /// "git:HEAD~1:/contracts/a.tikc.yaml" of what is laid out.
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
  /// Makes the links to contracts below a folder; what they lead to is asked for, too.
  llvm::Error follow(const std::string& folder, std::set<std::string>& wanted);
  std::set<std::string> parentsOf(const std::vector<std::string>& paths) const;

  std::string name_;
  std::filesystem::path top_;
  PassingFolder folder_;
  const Limits& limits_;
  enum class Unread : std::uint8_t { Link, Missing };
  std::map<std::string, Unread> unread_; // by path: what the tree has, and is not read
  std::map<std::string, Blob> blobs_;    // by their paths from the top
  std::map<std::string, Blob> links_;    // the same
  std::set<std::string> written_;
};

} // namespace tikc::project
