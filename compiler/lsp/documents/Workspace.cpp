#include "lsp/documents/Workspace.h"

#include <algorithm>

namespace tikc::lsp {

namespace fs = std::filesystem;

namespace {

/// The folder itself, or the nearest above it that there is.
fs::path existing(fs::path folder) {
  std::error_code error;
  while (!fs::is_directory(folder, error) && folder.has_relative_path())
    folder = folder.parent_path();
  return folder;
}

/// Whether a walk from the root comes to the folder.
bool isWalked(fs::path folder, const fs::path& root) {
  if (!project::isBelow(folder, root))
    return false;
  for (; folder != root; folder = folder.parent_path())
    if (project::isOfTools(folder))
      return false;
  return true;
}

} // namespace

Workspace::Workspace(const Documents& documents) : documents_(documents) { forgetSettings(); }

void Workspace::addRoot(const fs::path& root) {
  std::error_code error;
  fs::path real = fs::canonical(root, error);
  if (error || std::find(roots_.begin(), roots_.end(), real) != roots_.end())
    return;
  roots_.push_back(real);
  pending_.push_back({{"", real, true}, real});
}

void Workspace::removeRoot(const fs::path& root) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(root, error);
  std::erase(roots_, real);
  std::erase_if(pending_, [&](const Folder& folder) { return folder.root == real; });
  std::erase_if(files_, [&](const fs::path& file) {
    return std::none_of(roots_.begin(), roots_.end(),
                        [&](const fs::path& each) { return project::isBelow(file, each); });
  });
}

void Workspace::setExtendsRoot(const fs::path& root) {
  std::error_code error;
  extendsRoot_ = root.empty() ? root : fs::canonical(root, error);
  forgetSettings();
}

void Workspace::forgetSettings() {
  auto sources = std::make_unique<SourceManager>();
  for (const auto& [uri, document] : documents_.all())
    if (document.kind == Document::Kind::Settings)
      sources->overlay(document.path, document.text);
  projects_ = std::make_shared<project::Projects>(*sources, limits_);
  forgetWorld();
  settingsSources_ = std::move(sources);
  if (!extendsRoot_.empty())
    projects_->setRoot(extendsRoot_);
}

const fs::path& Workspace::rootOf(const fs::path& folder) const {
  auto root = std::find_if(roots_.begin(), roots_.end(),
                           [&](const fs::path& each) { return project::isBelow(folder, each); });
  return root == roots_.end() ? folder : *root;
}

const project::Settings& Workspace::settingsFor(const fs::path& folder) {
  fs::path start = existing(folder.empty() ? fs::path("/") : folder);
  const project::Settings* settings = projects_->settingsFor(start, rootOf(start));
  return settings ? *settings : none_;
}

std::shared_ptr<const Analysis> Workspace::knownOf(const Document& document) const {
  auto known = analyses_.find(document.uri);
  bool isOfText = known != analyses_.end() && known->second->version == document.version;
  return isOfText ? known->second : nullptr;
}

void Workspace::know(Analysis analysis) {
  std::string uri = analysis.uri;
  analyses_[uri] = std::make_shared<const Analysis>(std::move(analysis));
}

std::shared_ptr<const World> Workspace::world() {
  if (!world_ || worldOf_ != documents_.revision()) {
    world_ = world({});
    worldOf_ = documents_.revision();
  }
  return world_;
}

std::shared_ptr<const World> Workspace::world(const std::map<fs::path, std::string>& others) {
  auto out = std::make_shared<World>();
  out->texts = others;
  for (const auto& [uri, document] : documents_.all())
    if (document.kind == Document::Kind::Contract && !document.path.empty())
      out->texts.try_emplace(document.path, document.text);
  out->projects = projects_;
  out->limits = limits_;
  out->root = extendsRoot_.string();
  return out;
}

std::shared_ptr<const Snapshot> Workspace::snapshotOf(const Document& document) {
  return std::make_shared<const Snapshot>(world(),
                                          subjectOf(document.uri, document.path, document.text));
}

const std::string* Workspace::openText(const fs::path& path) const {
  const Document* open = documents_.findPath(path);
  return open ? &open->text : nullptr;
}

bool Workspace::discover() {
  if (pending_.empty())
    return false;
  Folder folder = std::move(pending_.back());
  pending_.pop_back();
  project::Projects::Listing listing = projects_->list(folder.settings, folder.root);
  projects_->takeFaults(); // a folder that cannot be read is no concern of an editor
  for (project::Projects::ListedPath& entry : listing.folders)
    pending_.push_back({std::move(entry), folder.root});
  for (const project::Projects::ListedPath& item : listing.files)
    files_.insert(item.path);
  return !pending_.empty();
}

void Workspace::addFile(const fs::path& path) {
  if (covers(path))
    files_.insert(path);
}

bool Workspace::covers(const fs::path& path) {
  return path.native().ends_with(project::contractSuffix) &&
         std::any_of(roots_.begin(), roots_.end(),
                     [&](const fs::path& root) { return isWalked(path.parent_path(), root); }) &&
         !project::isExcluded(settingsFor(path.parent_path()), path);
}

} // namespace tikc::lsp
