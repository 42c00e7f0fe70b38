#pragma once

#include <llvm/Support/JSON.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tikc::lsp {

/// What is wrong where, by the file whose check found it: a child may find faults in its parent's
/// text.
class Findings {
public:
  using ByUri = std::map<std::string, std::vector<llvm::json::Value>>;

  /// Replaces what a check found. The URIs whose findings are others now.
  std::set<std::string> put(const std::string& owner, ByUri found,
                            std::vector<std::filesystem::path> restsOn);
  std::set<std::string> remove(const std::string& owner) { return put(owner, {}, {}); }

  /// A text's own findings first, then what others found in it and it did not.
  std::vector<const llvm::json::Value*> of(const std::string& uri) const;
  /// The texts that have findings, or had their check.
  std::set<std::string> uris() const;
  bool has(const std::string& owner) const { return entries_.contains(owner); }
  /// Whose meaning rests on a file.
  std::vector<std::string> restingOn(const std::filesystem::path& path) const;

private:
  struct Entry {
    ByUri found;
    std::vector<std::filesystem::path> restsOn;
  };
  void forget(const std::string& owner);
  const std::vector<llvm::json::Value>* listOf(const std::string& owner,
                                               const std::string& uri) const;

  std::map<std::string, Entry> entries_;
  // The other way round, since many entries may have to do with one text.
  std::map<std::string, std::set<std::string>> owners_;
  std::map<std::filesystem::path, std::set<std::string>> resting_;
};

} // namespace tikc::lsp
