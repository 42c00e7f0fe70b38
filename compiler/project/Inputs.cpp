#include "project/Inputs.h"

#include "diag/Sink.h"
#include "project/Lineage.h"
#include "support/Names.h"
#include "support/UsageError.h"
#include "support/Utf8.h"
#include "support/Workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tikc::project {

namespace fs = std::filesystem;

namespace {

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
    return usageError(fmt::format("--root {}: {}", utf8::tickedPath(folder), error.message()));
  projects_.setRoot(std::move(root));
  return llvm::Error::success();
}

void Inputs::addPathAs(const std::string& path, const std::string& display) {
  if (namesStream(path))
    return addStream(path);
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error)
    faults_.push_back(
        fmt::format("cannot read {}: {}", utf8::tickedPath(display), error.message()));
  else if (fs::is_directory(real, error))
    addFolder(display, real);
  else {
    const Settings* settings =
        projects_.settingsFor(real.parent_path(), projectOf(real.parent_path()));
    named_.emplace(real, NamedFile{display, settings});
    if (!settings || !(forceExclude_ || settings->forceExclude) || !isExcluded(*settings, real))
      addFile(display, real, projectOf(real.parent_path()), true);
  }
}

void Inputs::addPathIfThere(const std::string& path) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error)))
    return;
  mayLack_ = true;
  addPath(path);
  mayLack_ = false;
}

void Inputs::addStandardInput(const std::string& name) {
  addNamed(name, "<stdin>", readStandardInput(limits_));
}

void Inputs::addGivenText(std::string_view text, const std::string& name) {
  FileText given;
  given.size = text.size();
  given.tooLarge = given.size > limits_.fileBytes;
  if (!given.tooLarge)
    given.text = text;
  addNamed(name, "<text>", std::move(given));
}

/// What may have the name of a file, and need not be one.
void Inputs::addNamed(const std::string& name, const std::string& nameless,
                      llvm::Expected<FileText> text) {
  std::error_code error;
  fs::path path =
      name.empty() ? fs::path() : fs::weakly_canonical(fs::absolute(name, error), error);
  fs::path folder = path.empty() ? currentFolder() : path.parent_path();
  // The file need not exist yet, nor its folder.
  while (!fs::is_directory(folder, error) && folder.has_relative_path())
    folder = folder.parent_path();
  if (addText(name.empty() ? nameless : name, path, folder, projectOf(folder), std::move(text)))
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
  auto open = sources_.overlaid(path);
  auto text = open ? llvm::Expected<FileText>(FileText{std::move(*open)}) : readFile(path, limits_);
  if (addText(display, path, path.parent_path(), start, std::move(text)))
    files_.back().mayChange = mayChange;
  else
    place->second = std::string::npos;
}

void Inputs::addFolder(const std::string& display, const fs::path& path) {
  fs::path start = projectOf(path);
  std::size_t faultsBefore = faults_.size();
  Projects::Listing found = projects_.listAll({display == "." ? "" : display, path, true}, start);
  takeFaults();
  passedOver_.insert(passedOver_.end(), found.passedOver.begin(), found.passedOver.end());
  const Settings* settings = found.files.empty() ? projects_.settingsFor(path, start) : nullptr;
  bool isForced = forceExclude_ || (settings && settings->forceExclude);
  const bool mayBeEmpty = mayLack_ || (isForced && found.excludesAny);
  if (found.files.empty() && faults_.size() == faultsBefore && !mayBeEmpty) {
    faults_.push_back(fmt::format(
        "no {} file below {}{}", joinAlternatives(splitWords(suffixes_)), utf8::tickedPath(display),
        found.excludesAny ? " (tikc.yaml excludes something there)" : ""));
    return;
  }
  for (const Projects::ListedPath& file : found.files)
    addFile(file.display, file.path, start, isBelow(file.path, path));
  std::sort(passedOver_.begin(), passedOver_.end());
  auto met = faults_.begin() + static_cast<std::ptrdiff_t>(faultsBefore);
  unread_.insert(unread_.end(), met, faults_.end());
  faults_.erase(met, faults_.end());
}

/// Of files and of all that they extend: also what is excluded hands on what it inherits.
Lineage Inputs::lineageOf(std::vector<fs::path> paths, unsigned jobs) const {
  Lineage out;
  std::set<fs::path> seen(paths.begin(), paths.end());
  while (!paths.empty()) {
    std::vector<std::set<fs::path>> parents(paths.size());
    runParallel(paths.size(), jobs, [&] {
      return [&](std::size_t i) {
        auto text = readFile(paths[i], limits_);
        if (text && !text->tooLarge)
          parents[i] = parentFilesOf(paths[i], std::move(text->text), limits_);
        llvm::consumeError(text.takeError());
      };
    });
    std::vector<fs::path> next;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      out.add(paths[i], parents[i]);
      for (const fs::path& parent : parents[i])
        if (seen.insert(parent).second)
          next.push_back(parent);
    }
    paths = std::move(next);
  }
  return out;
}

void Inputs::addHeirs(unsigned jobs) {
  std::set<fs::path> projects;
  std::map<fs::path, std::string> displays; // of the project's contracts, and of the named files
  std::vector<fs::path> named;
  for (const auto& [path, how] : named_) {
    auto known = known_.find(path);
    if (!how.settings || (known != known_.end() && known->second >= files_.size()))
      continue;
    named.push_back(path);
    displays.emplace(path, how.display);
    if (how.settings->isMarked)
      projects.insert(how.settings->folder);
  }
  if (projects.empty())
    return;
  for (const fs::path& project : projects) {
    for (const Projects::ListedPath& found : projects_.listAll({"", project, true}, project).files)
      displays.emplace(found.path, found.path.lexically_proximate(currentFolder()).string());
  }
  projects_.takeFaults(); // what cannot be read is told of where it is asked for

  std::vector<fs::path> paths;
  paths.reserve(displays.size());
  for (const auto& [path, display] : displays)
    paths.push_back(path);
  auto heirs = lineageOf(std::move(paths), jobs).heirsOf(named);
  for (const auto& [heir, parent] : heirs) {
    if (known_.contains(heir) || !displays.contains(heir))
      continue;
    fs::path origin = parent;
    while (!named_.contains(origin))
      origin = heirs.at(origin);
    addFile(displays.at(heir), heir, projectOf(heir.parent_path()), false);
    if (known_.at(heir) < files_.size())
      files_.back().heirOf = displays.at(origin);
  }
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
  InputFile input;
  input.file = sources_.add(display, path, text->tooLarge ? std::string() : std::move(text->text));
  input.settings = settings;
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

} // namespace tikc::project
