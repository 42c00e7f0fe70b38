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

/// The current texts: an open document replaces its file.
class Workspace : public ide::Surroundings {
public:
  explicit Workspace(const Documents& documents);

  void addRoot(const std::filesystem::path& root);
  void removeRoot(const std::filesystem::path& root);
  const std::vector<std::filesystem::path>& roots() const { return roots_; }
  /// Sets the folder that --root is for the command line.
  void setExtendsRoot(const std::filesystem::path& root);
  const std::filesystem::path& extendsRootOf(const std::filesystem::path& path) override {
    return settingsFor(path.parent_path()).root;
  }
  const project::Settings& settingsFor(const std::filesystem::path& folder);
  /// Drops cached settings, because a tikc.yaml has changed.
  void forgetSettings();
  /// Returns the faults of all tikc.yaml files that were read, with their sources.
  const std::vector<diag::Diagnostic>& settingsFindings() const { return projects_->findings(); }
  const SourceManager& settingsSources() const { return *settingsSources_; }
  /// Reads the tikc.yaml of a path, for its faults.
  void readSettings(const std::filesystem::path& path) { settingsFor(path.parent_path()); }

  /// Returns the result for the present text; null if it was not checked yet.
  std::shared_ptr<const Analysis> knownOf(const Document& document) const;
  void know(Analysis analysis);
  /// Drops a result whose text, or a text that it depends on, has changed.
  void forget(const std::string& uri) { analyses_.erase(uri); }
  /// Returns the present state, for checks on other threads.
  std::shared_ptr<const World> world();
  /// Returns the state in which these files have other texts.
  std::shared_ptr<const World> world(const std::map<std::filesystem::path, std::string>& others);
  /// Drops the cached world, because a file on disk has changed.
  void forgetWorld() { world_.reset(); }
  CheckSubject subjectOf(std::string uri, const std::filesystem::path& path,
                         std::optional<std::string> text = std::nullopt) {
    return {std::move(uri), path, std::move(text), &settingsFor(path.parent_path())};
  }
  /// Whether a text is beyond tikc's size limit, so that it is not checked.
  bool isTooLarge(const Document& document) const {
    return document.text.size() > limits_.fileBytes;
  }

  /// Returns the present state of a document, for work on other threads.
  std::shared_ptr<const Snapshot> snapshotOf(const Document& document);

  /// Searches the next folder below the roots for contracts. Returns false when all are done.
  bool discover();
  /// Returns the known contracts below the roots, open or not.
  const std::set<std::filesystem::path>& files() const override { return files_; }
  const std::string* openText(const std::filesystem::path& path) const override;
  void addFile(const std::filesystem::path& path);
  void removeFile(const std::filesystem::path& path) { files_.erase(path); }
  /// Whether a file is a contract below the roots that settings do not exclude.
  bool covers(const std::filesystem::path& path);

private:
  struct Folder {
    project::Projects::ListedPath settings;
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
  std::uint64_t worldOf_ = 0; // the revision of the documents in world_
  project::Settings none_;
  std::vector<Folder> pending_;
  std::set<std::filesystem::path> files_;
};

} // namespace tikc::lsp
