#include "pipeline/Inputs.h"

#include "diag/Sink.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tikc::pipeline {

namespace fs = std::filesystem;

namespace {

std::string shown(std::string_view path) { return "`" + utf8::printable(path) + "`"; }

fs::path currentFolder() {
  std::error_code error;
  fs::path current = fs::current_path(error);
  return error ? fs::path("/") : current;
}

/// Without tikc.yaml and repository, the current folder is the project, if what is checked lies in
/// it.
fs::path projectOf(const fs::path& folder) {
  fs::path current = currentFolder();
  return isBelow(folder, current) ? current : folder;
}

llvm::Error usageErrors(const std::vector<std::string>& sentences) {
  llvm::Error errors = llvm::Error::success();
  for (const std::string& each : sentences)
    errors = llvm::joinErrors(std::move(errors), usageError(each));
  return errors;
}

} // namespace

llvm::Error Inputs::setRoot(const std::string& folder) {
  std::error_code error;
  fs::path root = fs::canonical(folder, error);
  if (!error && !fs::is_directory(root, error) && !error)
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return usageError(fmt::format("--root {}: {}", shown(folder), error.message()));
  projects_.setRoot(std::move(root));
  return llvm::Error::success();
}

void Inputs::addPath(const std::string& path) {
  if (namesStream(path))
    return addStream(path);
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error)
    faults_.push_back(fmt::format("cannot read {}: {}", shown(path), error.message()));
  else if (fs::is_directory(real, error))
    addFolder(path, real);
  else
    addFile(path, real, projectOf(real.parent_path()), true);
}

void Inputs::addStandardInput(const std::string& name) {
  std::error_code error;
  fs::path path =
      name.empty() ? fs::path() : fs::weakly_canonical(fs::absolute(name, error), error);
  fs::path folder = path.empty() ? currentFolder() : path.parent_path();
  // The file need not exist yet, nor its folder.
  while (!fs::is_directory(folder, error) && folder.has_relative_path())
    folder = folder.parent_path();
  if (addText(name.empty() ? "<stdin>" : name, path, folder, projectOf(folder),
              readStandardInput(limits_)))
    files_.back().standardInput = true;
}

void Inputs::addStream(const std::string& name) {
  if (!known_.try_emplace(name, files_.size()).second)
    return;
  fs::path folder = currentFolder();
  if (addText(name, {}, folder, folder, readFile(name, limits_)))
    files_.back().stream = true;
}

void Inputs::addFile(const std::string& display, const fs::path& path, const fs::path& start,
                     bool mayChange) {
  auto [place, fresh] = known_.try_emplace(path, files_.size());
  if (!fresh) {
    if (place->second < files_.size())
      files_[place->second].mayChange |= mayChange;
    return;
  }
  if (addText(display, path, path.parent_path(), start, readFile(path, limits_)))
    files_.back().mayChange = mayChange;
  else
    place->second = std::string::npos;
}

void Inputs::addFolder(const std::string& display, const fs::path& path) {
  fs::path start = projectOf(path);
  std::vector<Projects::Found> pending{{display == "." ? "" : display, path}};
  std::vector<Projects::Found> files;
  std::size_t faultsBefore = faults_.size();
  bool excludesAny = false;
  while (!pending.empty()) {
    Projects::Found folder = std::move(pending.back());
    pending.pop_back();
    Projects::Listing listing = projects_.list(folder, start);
    takeFaults();
    excludesAny |= listing.excludesAny;
    passedOver_.insert(passedOver_.end(), listing.passedOver.begin(), listing.passedOver.end());
    pending.insert(pending.end(), listing.folders.begin(), listing.folders.end());
    files.insert(files.end(), listing.files.begin(), listing.files.end());
  }
  if (files.empty() && faults_.size() == faultsBefore) {
    faults_.push_back(fmt::format("no {} file below {}{}", contractSuffix, shown(display),
                                  excludesAny ? " (tikc.yaml excludes something there)" : ""));
    return;
  }
  std::sort(files.begin(), files.end(), [](const Projects::Found& a, const Projects::Found& b) {
    return a.display < b.display;
  });
  for (const Projects::Found& file : files)
    addFile(file.display, file.path, start, isBelow(file.path, path));
  std::sort(passedOver_.begin(), passedOver_.end());
  auto met = faults_.begin() + static_cast<std::ptrdiff_t>(faultsBefore);
  unread_.insert(unread_.end(), met, faults_.end());
  faults_.erase(met, faults_.end());
}

void Inputs::takeFaults() {
  for (std::string& fault : projects_.takeFaults())
    faults_.push_back(std::move(fault));
}

bool Inputs::addText(const std::string& display, const fs::path& path, const fs::path& folder,
                     const fs::path& start, llvm::Expected<FileText> text) {
  if (!text) {
    faults_.push_back(llvm::toString(text.takeError()));
    return false;
  }
  const Settings* settings = projects_.settingsFor(folder, start);
  takeFaults();
  if (!settings)
    return false;
  Input input{sources_.add(display, path, text->tooLarge ? std::string() : std::move(text->text)),
              settings,
              {}};
  if (text->tooLarge) {
    diag::Sink sink(limits_);
    sink.report<diag::FileTooLarge>(Span{input.file, 0, 0}, text->size, limits_.fileBytes);
    input.tooLarge = sink.take().front();
  }
  files_.push_back(std::move(input));
  return true;
}

llvm::Error Inputs::takeErrors() {
  if (files_.empty())
    for (std::string& each : std::exchange(unread_, {}))
      faults_.push_back(std::move(each));
  return usageErrors(std::exchange(faults_, {}));
}

llvm::Error Inputs::takeUnread() { return usageErrors(std::exchange(unread_, {})); }

} // namespace tikc::pipeline
