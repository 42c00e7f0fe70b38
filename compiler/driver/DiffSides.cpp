#include "driver/DiffSides.h"

#include "diag/Drawing.h"
#include "driver/ParallelChecker.h"
#include "driver/ProvenFile.h"
#include "pipeline/CheckedFiles.h"
#include "pipeline/Merge.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

namespace tikc::driver {

namespace fs = std::filesystem;

namespace {

/// Canonical as far as it exists.
fs::path realPath(const std::string& path) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::path(path) : out;
}

/// The nearest folder that exists, at a path or above it.
fs::path existingFolder(fs::path path) {
  std::error_code error;
  while (!fs::is_directory(path, error) && path.has_relative_path())
    path = path.parent_path();
  return path;
}

} // namespace

llvm::Expected<DiffOperand> diffOperand(const std::string& word) {
  llvm::StringRef rest(word);
  if (!rest.consume_front("git:"))
    return DiffOperand{word, {}};
  auto [revision, path] = rest.split(':');
  if (revision.empty())
    return usageError(fmt::format("missing revision in {}; expected git:REV, such as git:HEAD",
                                  utf8::ticked(word)));
  return DiffOperand{path.str(), revision.str()};
}

void DiffSide::forceExclude() {
  if (own_)
    own_->forceExclude();
}

void DiffSide::addHeirs(unsigned jobs) {
  hasHeirs_ = true;
  if (own_)
    own_->addHeirs(jobs);
}

llvm::Error DiffSide::takeErrors() {
  return own_ ? llvm::joinErrors(own_->takeErrors(), own_->takeUnread()) : llvm::Error::success();
}

llvm::Error DiffSide::add(const DiffOperand& operand, const std::string& near) {
  return operand.isOfRevision() ? addRevision(operand, near) : addPath(operand.path, false);
}

llvm::Error DiffSide::addIfThere(const DiffOperand& operand, const std::string& near) {
  return operand.isOfRevision() ? addRevision(operand, near) : addPath(operand.path, true);
}

llvm::Expected<bool> DiffSide::has(const DiffOperand& operand, const std::string& near) {
  auto at = revision(operand.revision, near);
  if (!at)
    return at.takeError();
  auto place = (*at)->layOut(realPath(near));
  if (!place)
    return place.takeError();
  return place->has_value();
}

llvm::Error DiffSide::addPath(const std::string& path, bool mayBeGone) {
  named_.push_back(realPath(path));
  if (!own_)
    return mayBeGone ? llvm::Error::success() : errorUnlessRead(path);
  if (!root_.empty() && project::isBelow(named_.back(), realPath(root_)))
    if (auto error = own_->setRoot(root_))
      return error;
  if (path == "-")
    own_->addStandardInput("");
  else if (mayBeGone)
    own_->addPathIfThere(path);
  else
    own_->addPath(path);
  return llvm::Error::success();
}

/// Of what a run that read it took for a thing that may be gone.
llvm::Error DiffSide::errorUnlessRead(const std::string& path) const {
  const auto& files = inputs_.files();
  bool isRead = std::any_of(files.begin(), files.end(), [&](const project::InputFile& input) {
    const fs::path& file = sources_.get(input.file).path;
    return file == named_.back() || project::isBelow(file, named_.back());
  });
  if (isRead)
    return llvm::Error::success();
  project::Inputs again(sources_, limits_);
  again.addPath(path);
  return again.takeErrors();
}

llvm::Expected<project::Revision*> DiffSide::revision(const std::string& name,
                                                      const std::string& near) {
  if (!revision_) {
    auto named = project::treeNamed(name, existingFolder(realPath(near)));
    if (!named)
      return named.takeError();
    auto opened = project::Revision::open(*named, limits_);
    if (!opened)
      return opened.takeError();
    revision_.emplace(std::move(*opened));
    top_ = revision_->folder();
    if (!root_.empty()) {
      auto root = revision_->layOutFolder(realPath(root_));
      if (!root)
        return root.takeError();
      if (auto error = own_->setRoot(root->string()))
        return error;
    }
  }
  return &*revision_;
}

llvm::Error DiffSide::addRevision(const DiffOperand& operand, const std::string& near) {
  auto at = revision(operand.revision, near);
  if (!at)
    return at.takeError();
  // As Git has it: from the top of the repository, unless it says that it is from here; with the
  // slash of what is shown, too.
  bool isFromHere =
      operand.path.empty() || operand.path.starts_with("./") || operand.path.starts_with("../");
  auto place =
      isFromHere
          ? (*at)->layOut(realPath(operand.path.empty() ? near : operand.path))
          : (*at)->layOutNamed(fs::path(operand.path).relative_path().lexically_normal().string());
  if (!place)
    return place.takeError();
  if (!*place && !operand.path.empty())
    return usageError(fmt::format("{} has no contract at {}", utf8::ticked(operand.revision),
                                  utf8::tickedPath(operand.path)));
  if (*place)
    addLaidOut(**place, **place);
  return llvm::Error::success();
}

void DiffSide::addLaidOut(const fs::path& place, const fs::path& base) {
  named_.push_back(base);
  own_->addPathAs(place.string(), revision_->displayOf(place));
}

llvm::Error DiffSide::addSame(const DiffSide& other, const DiffOperand& operand) {
  for (const project::InputFile& input : other.inputs_.files()) {
    if (input.heirOf.empty())
      continue;
    const fs::path& path = sources_.get(input.file).path;
    auto at = revision(operand.revision, path.string());
    if (!at)
      return at.takeError();
    auto place = (*at)->layOut(path);
    if (!place)
      return place.takeError();
    if (*place)
      addLaidOut(**place, **place);
  }
  return llvm::Error::success();
}

llvm::Error DiffSide::addFormerHeirs(unsigned jobs) {
  if (!revision_)
    return llvm::Error::success();
  std::vector<fs::path> files;
  std::error_code error;
  std::copy_if(named_.begin(), named_.end(), std::back_inserter(files),
               [&](const fs::path& path) { return fs::is_regular_file(path, error); });
  if (files.empty())
    return llvm::Error::success();
  if (auto place = revision_->layOutNamed({}); !place)
    return place.takeError();
  project::Inputs all(sources_, limits_);
  all.ignoreBaselines();
  for (const fs::path& file : files)
    all.addPath(file.string());
  all.addHeirs(jobs);
  llvm::consumeError(all.takeErrors());
  for (const project::InputFile& input : all.files())
    if (!input.heirOf.empty())
      addLaidOut(sources_.get(input.file).path, sources_.get(input.file).path);
  return llvm::Error::success();
}

void DiffSide::checkAt(unsigned jobs, const std::optional<std::set<std::string>>& places) {
  if (!own_)
    return;
  std::vector<project::InputFile> asked;
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < inputs_.files().size(); ++i)
    if (!places || places->contains(placeOf(inputs_.files()[i].file))) {
      asked.push_back(inputs_.files()[i]);
      at.push_back(i);
    }
  checked_.resize(inputs_.files().size());
  ParallelChecker checking(sources_, limits_, jobs);
  auto keep = [&](std::size_t i, const pipeline::CheckedFile& file) { checked_[at[i]] = file; };
  pipeline::CheckedFiles known = checking.check(asked, keep);
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (checked_[at[i]].file != known.results[i].file) // it was too large to be checked
      checked_[at[i]] = std::move(known.results[i]);
}

/// Below the top of the repository, or the nearest of what was named; a file that was named is its
/// own name.
std::string DiffSide::placeOf(FileId file) const {
  const fs::path& path = sources_.get(file).path;
  if (!top_.empty() && project::isBelow(path, top_))
    return path.lexically_relative(top_).string();
  for (const fs::path& base : named_)
    if (base != path && project::isBelow(path, base))
      return path.lexically_relative(base).string();
  return path.filename().string();
}

std::map<std::string, FileId> DiffSide::files() const {
  std::map<std::string, FileId> out;
  for (const project::InputFile& input : inputs_.files())
    out.emplace(placeOf(input.file), input.file);
  return out;
}

std::string DiffSide::errorsOf(const std::vector<const pipeline::CheckedFile*>& files) const {
  std::vector<pipeline::CheckedFile> faulty;
  for (const pipeline::CheckedFile* file : files) {
    faulty.emplace_back();
    faulty.back().file = file->file;
    faulty.back().diagnostics = file->diagnostics;
  }
  std::string out;
  for (const diag::Diagnostic& diagnostic : pipeline::mergeFindings(sources_, faulty))
    if (diag::isFaultOfText(diagnostic))
      out += diag::renderText(sources_, diagnostic);
  return out;
}

std::string DiffSide::settingsErrors() const {
  std::string out;
  for (const diag::Diagnostic& diagnostic : inputs_.settingsFindings())
    if (diagnostic.severity == diag::Severity::Error)
      out += diag::renderText(sources_, diagnostic);
  return out;
}

std::vector<DiffSide::Entry> DiffSide::held(bool areBases) const {
  std::vector<Entry> out;
  for (std::size_t at = 0; at < checked_.size(); ++at) {
    const pipeline::CheckedFile& file = checked_[at];
    if (file.file == FileId::None || (!hasHeirs_ && !inputs_.files()[at].heirOf.empty()))
      continue;
    bool isFaulty = pipeline::isFaulty(file);
    for (std::size_t i = 0; i < file.contracts.size(); ++i)
      if (file.contracts[i].isAbstract == areBases)
        out.push_back({&file, i, placeOf(file.file), isFaulty});
    if (!areBases && isFaulty && file.contracts.empty())
      out.push_back({&file, 0, placeOf(file.file), true});
  }
  return out;
}

} // namespace tikc::driver
