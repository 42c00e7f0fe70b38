#pragma once

#include <llvm/Support/JSON.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tikc::lsp {

/// Findings by the file whose check made them, because a child may find faults in its parent's
/// text.
class Findings {
public:
  using ByUri = std::map<std::string, std::vector<llvm::json::Value>>;

  /// Replaces the findings of a check. Returns the URIs whose findings changed.
  std::set<std::string> put(const std::string& owner, ByUri findings,
                            std::vector<std::filesystem::path> restsOn);
  std::set<std::string> remove(const std::string& owner) { return put(owner, {}, {}); }

  /// Returns a text's own findings, then findings that only checks of other texts reported in it.
  std::vector<const llvm::json::Value*> of(const std::string& uri) const;
  /// Returns the texts that have findings or were checked.
  std::set<std::string> uris() const;
  bool has(const std::string& owner) const { return entries_.contains(owner); }
  /// Returns the owners whose meaning depends on a file.
  std::vector<std::string> restingOn(const std::filesystem::path& path) const;

private:
  struct Entry {
    ByUri findings;
    std::vector<std::filesystem::path> restsOn;
  };
  void forget(const std::string& owner);
  const std::vector<llvm::json::Value>* listOf(const std::string& owner,
                                               const std::string& uri) const;

  std::map<std::string, Entry> entries_;
  // Inverse indices, because many entries may concern one text.
  std::map<std::string, std::set<std::string>> owners_;
  std::map<std::filesystem::path, std::set<std::string>> resting_;
};

} // namespace tikc::lsp
