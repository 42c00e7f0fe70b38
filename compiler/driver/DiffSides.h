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

/// What a command line names: a path, a revision of it, or both.
struct DiffOperand {
  std::string path; // empty where it names a revision alone
  std::string revision;

  bool isOfRevision() const { return !revision.empty(); }
  /// Of whatever the other side is.
  bool isRevisionAlone() const { return isOfRevision() && path.empty(); }
};
llvm::Expected<DiffOperand> diffOperand(const std::string& word);

/// One side of a comparison: its files, checked.
class DiffSide {
public:
  DiffSide(SourceManager& sources, const Limits& limits)
      : sources_(sources), limits_(limits), own_(std::in_place, sources, limits), inputs_(*own_) {
    own_->ignoreBaselines();
  }
  /// Of what a run has read and checked: what is added says only what was named, and whether what
  /// extends it counts.
  DiffSide(SourceManager& sources, const Limits& limits, const project::Inputs& read,
           std::vector<pipeline::CheckedFile> checked)
      : sources_(sources), limits_(limits), inputs_(read), checked_(std::move(checked)) {}

  /// Before anything is added. Of a folder of the work tree, what a revision has there is the root
  /// of the revision's; of paths only those below it are held to it.
  void setRoot(const std::string& root) { root_ = root; }
  void forceExclude();
  /// `near` is the folder or file whose repository is meant, and what is compared where the operand
  /// names no path.
  llvm::Error add(const DiffOperand& operand, const std::string& near);
  /// The same of a path of which a revision has something: it may be gone.
  llvm::Error addIfThere(const DiffOperand& operand, const std::string& near);
  /// Whether a revision has what an operand that names no path means by `near`.
  llvm::Expected<bool> has(const DiffOperand& operand, const std::string& near);
  /// What extends a named file, too.
  void addHeirs(unsigned jobs);
  /// The files of the other side, as a revision has them: those that have come along there.
  llvm::Error addSame(const DiffSide& other, const DiffOperand& operand);
  /// What extended a named file in the revision, too.
  llvm::Error addFormerHeirs(unsigned jobs);
  llvm::Error takeErrors();
  void check(unsigned jobs) { checkAt(jobs, {}); }
  /// Only of the files at these places.
  void checkAt(unsigned jobs, const std::optional<std::set<std::string>>& places);
  /// The top of the repository whose revision the side is of; null where it is of none.
  const std::filesystem::path* repository() const {
    return revision_ ? &revision_->top() : nullptr;
  }
  /// From now on places are below the top of a repository. Those of a revision's side always are.
  void setTop(const std::filesystem::path& top) { top_ = revision_ ? revision_->folder() : top; }
  /// The files by their places.
  std::map<std::string, FileId> files() const;

  struct Held {
    const pipeline::CheckedFile* file = nullptr;
    std::size_t index = 0;
    std::string place; // of the file below what was named
    bool isFaulty = false;
    bool isAside = false; // nobody asked for it

    const model::Contract& contract() const { return file->contracts[index]; }
    changes::Edition edition() const {
      const auto& proof = file->proofs[index];
      return {&contract(), proof ? &*proof : nullptr};
    }
  };
  /// The contracts that are no base alone.
  std::vector<Held> contracts() const { return held(false); }
  /// Those that are.
  std::vector<Held> bases() const { return held(true); }
  /// The faults of files; what children of one parent have of it, once.
  std::string errorsOf(const std::vector<const pipeline::CheckedFile*>& files) const;
  /// Those of settings.
  std::string settingsErrors() const;

private:
  llvm::Error addPath(const std::string& path, bool mayBeGone);
  llvm::Error errorUnlessRead(const std::string& path) const;
  llvm::Error addRevision(const DiffOperand& operand, const std::string& near);
  llvm::Expected<project::Revision*> revision(const std::string& name, const std::string& near);
  void addLaidOut(const std::filesystem::path& place, const std::filesystem::path& base);
  std::string placeOf(FileId file) const;
  std::vector<Held> held(bool areBases) const;

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
