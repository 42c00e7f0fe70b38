#pragma once

#include "ide/Surroundings.h"
#include "lsp/documents/Documents.h"
#include "lsp/documents/Snapshot.h"
#include "pipeline/Pipeline.h"
#include "project/Projects.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace tikc::lsp {

/// Texts by what they are now: an open document stands for its file.
class Workspace : public ide::Surroundings {
public:
  explicit Workspace(const Documents& documents);

  void addRoot(const std::filesystem::path& root);
  void removeRoot(const std::filesystem::path& root);
  const std::vector<std::filesystem::path>& roots() const { return roots_; }
  /// What --root is to the command line.
  void setExtendsRoot(const std::filesystem::path& root);
  const std::filesystem::path& extendsRootOf(const std::filesystem::path& path) override {
    return settingsFor(path.parent_path()).root;
  }
  const project::Settings& settingsFor(const std::filesystem::path& folder);
  /// A tikc.yaml has changed: what was known of settings is forgotten.
  void forgetSettings();
  /// Faults of the tikc.yaml files that were read, with the texts they are in.
  const std::vector<diag::Diagnostic>& settingsFindings() const { return projects_->findings(); }
  const SourceManager& settingsSources() const { return *settingsSources_; }
  /// Reads the tikc.yaml that holds for a path, for its faults.
  void readSettings(const std::filesystem::path& path) { settingsFor(path.parent_path()); }

  /// What became of the text as it is now; null where it was not checked yet.
  std::shared_ptr<const Analysis> knownOf(const Document& document) const;
  void know(Analysis analysis);
  /// What was said of it no longer holds: its text, or one that it rests on, changed.
  void forget(const std::string& uri) { analyses_.erase(uri); }
  /// What counts now, for who checks by it elsewhere.
  std::shared_ptr<const World> world();
  /// The same if these files had other texts.
  std::shared_ptr<const World> world(const std::map<std::filesystem::path, std::string>& others);
  /// A file on disk has changed: another world.
  void forgetWorld() { world_.reset(); }
  CheckSubject subjectOf(std::string uri, const std::filesystem::path& path,
                         std::optional<std::string> text = std::nullopt) {
    return {std::move(uri), path, std::move(text), &settingsFor(path.parent_path())};
  }
  /// Whether a text is larger than tikc reads: nothing is known of it but that.
  bool isTooLarge(const Document& document) const {
    return document.text.size() > limits_.fileBytes;
  }

  /// The document as it is now, for who works on it elsewhere.
  std::shared_ptr<const Snapshot> snapshotOf(const Document& document);

  /// Goes on looking for contracts below the roots, a folder at a time; false when it is done.
  bool discover();
  /// Contracts below the roots as far as they are known, open or not.
  const std::set<std::filesystem::path>& files() const override { return files_; }
  const std::string* openText(const std::filesystem::path& path) const override;
  void addFile(const std::filesystem::path& path);
  void removeFile(const std::filesystem::path& path) { files_.erase(path); }
  /// Whether a file is a contract that the roots have and their settings do not exclude.
  bool covers(const std::filesystem::path& path);

private:
  struct Folder {
    project::Projects::ListedPath found;
    std::filesystem::path root;
  };

  const std::filesystem::path& rootOf(const std::filesystem::path& folder) const;

  const Documents& documents_;
  Limits limits_;
  std::vector<std::filesystem::path> roots_;
  std::filesystem::path extendsRoot_;
  std::map<std::string, std::shared_ptr<const Analysis>> analyses_;
  std::shared_ptr<SourceManager> settingsSources_;
  std::shared_ptr<project::Projects> projects_;
  std::shared_ptr<const World> world_;
  std::uint64_t worldOf_ = 0; // the revision of the documents
  project::Settings none_;
  std::vector<Folder> pending_;
  std::set<std::filesystem::path> files_;
};

} // namespace tikc::lsp
