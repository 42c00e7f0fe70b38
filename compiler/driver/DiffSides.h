#pragma once

#include "changes/Changes.h"
#include "driver/Commands.h"
#include "pipeline/Pipeline.h"
#include "project/Inputs.h"
#include "project/Revision.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tikc::driver {

/// An operand of a comparison: a path, a revision, or a path at a revision.
struct DiffOperand {
  std::string path; // empty for a revision alone
  std::string revision;

  bool isOfRevision() const { return !revision.empty(); }
  /// A revision alone means that revision of the other side's files.
  bool isRevisionAlone() const { return isOfRevision() && path.empty(); }
};
llvm::Expected<DiffOperand> diffOperand(const std::string& word);

/// One side of a comparison: its checked files.
class DiffSide {
public:
  DiffSide(SourceManager& sources, const Limits& limits)
      : sources_(sources), limits_(limits), own_(std::in_place, sources, limits), inputs_(*own_) {
    own_->ignoreBaselines();
  }
  /// Uses the files that a run has read and checked; adding a path then only records that it was
  /// named.
  DiffSide(SourceManager& sources, const Limits& limits, const project::Inputs& read,
           std::vector<pipeline::CheckedFile> checked)
      : sources_(sources), limits_(limits), inputs_(read), checked_(std::move(checked)) {}

  /// Sets --root; call it before adding files. A revision uses its version of that folder. Only
  /// named paths below the root are restricted to it.
  void setRoot(const std::string& root) { root_ = root; }
  void forceExclude();
  /// `near` is a folder or file in the repository; without a path in the operand, it is also what
  /// is compared.
  llvm::Error add(const DiffOperand& operand, const std::string& near);
  /// Adds a path that may be missing, because a revision has it.
  llvm::Error addIfThere(const DiffOperand& operand, const std::string& near);
  /// Whether the revision has a version of `near`, for an operand without a path.
  llvm::Expected<bool> has(const DiffOperand& operand, const std::string& near);
  /// Adds the contracts that extend a named file.
  void addHeirs(unsigned jobs);
  /// Adds the revision's versions of files that are on the other side because they extend a named
  /// one.
  llvm::Error addSame(const DiffSide& other, const DiffOperand& operand);
  /// Adds the contracts that extended a named file in the revision.
  llvm::Error addFormerHeirs(unsigned jobs);
  llvm::Error takeErrors();
  void check(unsigned jobs) { checkAt(jobs, {}); }
  /// Checks only the files at these places, if any are given.
  void checkAt(unsigned jobs, const std::optional<std::set<std::string>>& places);
  /// Returns the top of the revision's repository; null for a side without a revision.
  const std::filesystem::path* repository() const {
    return revision_ ? &revision_->top() : nullptr;
  }
  /// Makes places relative to the top of a repository. On a side with a revision, they always are.
  void setTop(const std::filesystem::path& top) { top_ = revision_ ? revision_->folder() : top; }
  /// Returns the files by place.
  std::map<std::string, FileId> files() const;

  struct Entry {
    const pipeline::CheckedFile* file = nullptr;
    std::size_t index = 0;
    std::string place; // of the file, relative to the named path
    bool isFaulty = false;
    bool isAside = false; // not named by the user

    const model::Contract& contract() const { return file->contracts[index]; }
    changes::Edition edition() const {
      const auto& proof = file->proofs[index];
      return {&contract(), proof ? &*proof : nullptr};
    }
  };
  /// Returns the contracts that are not abstract.
  std::vector<Entry> contracts() const { return held(false); }
  /// Returns the abstract contracts.
  std::vector<Entry> bases() const { return held(true); }
  /// Returns the text errors of files; faults of a common parent occur once.
  std::string errorsOf(const std::vector<const pipeline::CheckedFile*>& files) const;
  /// Returns the errors of settings.
  std::string settingsErrors() const;

private:
  llvm::Error addPath(const std::string& path, bool mayBeGone);
  llvm::Error errorUnlessRead(const std::string& path) const;
  llvm::Error addRevision(const DiffOperand& operand, const std::string& near);
  llvm::Expected<project::Revision*> revision(const std::string& name, const std::string& near);
  void addLaidOut(const std::filesystem::path& place, const std::filesystem::path& base);
  std::string placeOf(FileId file) const;
  std::vector<Entry> held(bool areBases) const;

  SourceManager& sources_;
  const Limits& limits_;
  std::optional<project::Inputs> own_;
  const project::Inputs& inputs_;
  std::string root_;
  bool hasHeirs_ = false;
  std::optional<project::Revision> revision_;
  std::filesystem::path top_;
  std::vector<std::filesystem::path> named_;
  std::vector<pipeline::CheckedFile> checked_;
};

} // namespace tikc::driver
