#include "driver/Inputs.h"

#include "diag/Sink.h"
#include "driver/Commands.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::driver {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view contractSuffix = ".tikc.yaml";

bool isBelow(const fs::path& path, const fs::path& folder) {
  auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

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

} // namespace

llvm::Error Inputs::setRoot(const std::string& folder) {
  std::error_code error;
  root_ = fs::canonical(folder, error);
  if (!error && !fs::is_directory(root_, error) && !error)
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return usageError(fmt::format("--root {}: {}", shown(folder), error.message()));
  return llvm::Error::success();
}

void Inputs::addPath(const std::string& path) {
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
  std::vector<Found> pending{{display == "." ? "" : display, path}};
  std::vector<Found> files;
  std::size_t faultsBefore = faults_.size();
  excludedAny_ = false;
  while (!pending.empty()) {
    Found folder = std::move(pending.back());
    pending.pop_back();
    listFolder(folder, projectOf(path), pending, files);
  }
  if (files.empty() && faults_.size() == faultsBefore)
    faults_.push_back(fmt::format("no {} file below {}{}", contractSuffix, shown(display),
                                  excludedAny_ ? " (tikc.yaml excludes something there)" : ""));
  std::sort(files.begin(), files.end(),
            [](const Found& a, const Found& b) { return a.display < b.display; });
  for (const Found& file : files)
    addFile(file.display, file.path, projectOf(path), isBelow(file.path, path));
}

void Inputs::listFolder(const Found& folder, const fs::path& start, std::vector<Found>& pending,
                        std::vector<Found>& files) {
  std::error_code error;
  fs::directory_iterator entries(folder.path, error);
  const pipeline::Settings* settings = error ? nullptr : settingsFor(folder.path, start);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    std::string name = entries->path().filename().string();
    std::error_code ignored;
    bool isFolder =
        entries->is_directory(ignored) && !entries->is_symlink(ignored) && name != ".git";
    bool isContract = name.ends_with(contractSuffix) && !entries->is_directory(ignored);
    if (!isFolder && !isContract)
      continue;
    if (settings && !settings->exclude.empty() &&
        pipeline::isExcluded(*settings, entries->path())) {
      excludedAny_ = true;
      continue;
    }
    fs::path display = folder.display.empty() ? fs::path(name) : fs::path(folder.display) / name;
    if (isFolder) {
      pending.push_back({display.string(), entries->path()});
      continue;
    }
    std::error_code broken;
    fs::path real =
        entries->is_symlink(ignored) ? fs::canonical(entries->path(), broken) : entries->path();
    if (broken)
      faults_.push_back(
          fmt::format("cannot read {}: {}", shown(display.native()), broken.message()));
    else
      files.push_back({display.string(), real});
  }
  if (error)
    faults_.push_back(fmt::format("cannot read the folder {}: {}",
                                  shown(folder.display.empty() ? "." : folder.display),
                                  error.message()));
}

bool Inputs::addText(const std::string& display, const fs::path& path, const fs::path& folder,
                     const fs::path& start, llvm::Expected<FileText> text) {
  if (!text) {
    faults_.push_back(llvm::toString(text.takeError()));
    return false;
  }
  const pipeline::Settings* settings = settingsFor(folder, start);
  if (!settings)
    return false;
  Input input{sources_.add(display, path, text->tooLarge ? std::string() : std::move(text->text)),
              settings,
              {},
              false,
              true};
  if (text->tooLarge) {
    diag::Sink sink(limits_);
    sink.report<diag::FileTooLarge>(Span{input.file, 0, 0}, text->size, limits_.fileBytes);
    input.tooLarge = sink.take().front();
  }
  files_.push_back(std::move(input));
  return true;
}

/// The nearest folder at or above that says where a project starts; empty where none does. Asked
/// once a folder.
const fs::path& Inputs::markedAncestor(const fs::path& folder) {
  auto [place, fresh] = marked_.try_emplace(folder);
  if (fresh) {
    std::error_code error;
    if (fs::exists(folder / pipeline::settingsFile, error) || fs::exists(folder / ".git", error))
      place->second = folder;
    else if (folder.has_relative_path())
      place->second = markedAncestor(folder.parent_path());
  }
  return place->second;
}

const pipeline::Settings* Inputs::settingsFor(const fs::path& folder, const fs::path& start) {
  const fs::path& marked = markedAncestor(folder);
  auto [place, fresh] = settings_.try_emplace(marked.empty() ? start : marked);
  if (!fresh)
    return place->second.get();
  diag::Sink sink(limits_);
  auto settings = pipeline::findSettings(sources_, place->first, limits_, sink);
  if (!settings) {
    faults_.push_back(llvm::toString(settings.takeError()));
    return nullptr;
  }
  for (diag::Diagnostic& finding : sink.take())
    settingsFindings_.push_back(std::move(finding));
  place->second = std::make_unique<pipeline::Settings>(std::move(*settings));
  if (!root_.empty())
    place->second->root = root_;
  return place->second.get();
}

llvm::Error Inputs::takeErrors() {
  llvm::Error errors = llvm::Error::success();
  for (std::string& message : faults_)
    errors = llvm::joinErrors(std::move(errors), usageError(std::move(message)));
  faults_.clear();
  return errors;
}

} // namespace tikc::driver
