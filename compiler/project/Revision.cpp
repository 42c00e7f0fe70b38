#include "project/Revision.h"

#include "project/Lineage.h"
#include "project/Projects.h"
#include "support/Files.h"
#include "support/Programs.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <stdlib.h>

#include <algorithm>
#include <mutex>

namespace tikc::project {

namespace fs = std::filesystem;

namespace {

llvm::Expected<ProgramResult> git(const fs::path& folder, std::vector<std::string> words,
                                  std::string_view input = {}) {
  // The repository may be a stranger's, and its configuration names programs. No command that is
  // given here runs a filter, a hook or a monitor; that none could is said all the same. A folder
  // that only looks like a repository's insides is none.
  std::vector<std::string> all{"git", "--no-pager",
                               "-c",  "core.fsmonitor=false",
                               "-c",  "core.hooksPath=/dev/null",
                               "-c",  "safe.bareRepository=explicit",
                               "-C",  folder.string()};
  all.insert(all.end(), words.begin(), words.end());
  // It is to read what is here: no locks are taken, and nothing is fetched that a partial clone
  // lacks, by any transport, of which a repository may name one that runs a program.
  return runProgram(all, input, {},
                    {"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
                     "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0"});
}

std::string firstLine(llvm::StringRef text) {
  return utf8::printable(text.split('\n').first.str());
}

llvm::Error gitFault(const ProgramResult& result) {
  return llvm::createStringError(std::make_error_code(std::errc::io_error),
                                 "git: " + firstLine(result.complaint));
}

/// A path of a tree that names a file below its top, and nothing else.
bool isPlain(llvm::StringRef path) {
  for (llvm::StringRef part : llvm::split(path, '/'))
    if (part.empty() || part == "." || part == ".." || part.equals_insensitive(".git"))
      return false;
  return true;
}

bool isSettings(const std::string& path) {
  return fs::path(path).filename() == fs::path(settingsFile);
}

} // namespace

namespace {

/// All that exist. The holder of the lock makes or removes one.
struct PassingFolders {
  std::mutex mutex;
  std::set<fs::path> paths;
  bool isEnding = false;
};

PassingFolders& passingFolders() {
  static PassingFolders all;
  return all;
}

} // namespace

void PassingFolder::endAll() {
  PassingFolders& all = passingFolders();
  std::lock_guard lock(all.mutex);
  all.isEnding = true;
  std::error_code ignored;
  for (const fs::path& path : all.paths)
    fs::remove_all(path, ignored);
}

llvm::Expected<PassingFolder> PassingFolder::make() {
  PassingFolders& all = passingFolders();
  std::lock_guard lock(all.mutex);
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  std::string name = ((error ? fs::path("/tmp") : parent) / "tikc-XXXXXX").string();
  if (all.isEnding || !::mkdtemp(name.data()))
    return llvm::createStringError(std::make_error_code(std::errc::io_error),
                                   "cannot create a temporary folder");
  fs::path path = fs::canonical(name, error);
  return PassingFolder(*all.paths.insert(error ? fs::path(name) : path).first);
}

PassingFolder::~PassingFolder() {
  if (path_.empty())
    return;
  PassingFolders& all = passingFolders();
  std::lock_guard lock(all.mutex);
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  all.paths.erase(path_);
}

llvm::Error PassingFolder::change(llvm::function_ref<llvm::Error()> act) {
  PassingFolders& all = passingFolders();
  std::lock_guard lock(all.mutex);
  return all.isEnding ? llvm::createStringError(std::make_error_code(std::errc::operation_canceled),
                                                "the process ends")
                      : act();
}

llvm::Error PassingFolder::addFolder(const fs::path& folder) const {
  return change([&] { return makeFolder(path_ / folder); });
}

llvm::Error PassingFolder::addLink(const fs::path& link, const fs::path& to) const {
  return change([&]() -> llvm::Error {
    if (auto error = makeFolder((path_ / link).parent_path()))
      return error;
    std::error_code error;
    fs::create_symlink(path_ / to, path_ / link, error);
    if (error && error != std::errc::file_exists)
      return llvm::createStringError(error, "cannot make the link %s", link.c_str());
    return llvm::Error::success();
  });
}

llvm::Error PassingFolder::add(const fs::path& file, std::string_view text) const {
  return change([&]() -> llvm::Error {
    if (auto error = makeFolder((path_ / file).parent_path()))
      return error;
    return writeFile(path_ / file, text);
  });
}

llvm::Expected<NamedTree> treeNamed(const std::string& name, const fs::path& near) {
  if (name.empty() || name.front() == '-')
    return usageError(fmt::format("{} is not the name of a revision", utf8::ticked(name)));
  auto top = git(near, {"rev-parse", "--show-toplevel"});
  if (!top)
    return top.takeError();
  if (top->status != 0)
    return usageError(fmt::format("{} is not in a Git work tree: {}",
                                  utf8::tickedPath(near.native()), firstLine(top->complaint)));
  fs::path folder = llvm::StringRef(top->output).rtrim('\n').str();
  auto tree = git(folder, {"rev-parse", "--verify", "--quiet", name + "^{tree}"});
  // Before the first commit HEAD is a branch that is not there yet: there is nothing at it.
  if (tree && tree->status != 0 && name == "HEAD") {
    auto branch = git(folder, {"symbolic-ref", "--quiet", "HEAD"});
    if (!branch)
      return branch.takeError();
    if (branch->status == 0)
      tree = git(folder, {"hash-object", "-t", "tree", "/dev/null"});
  }
  if (!tree)
    return tree.takeError();
  if (tree->status != 0)
    return usageError(fmt::format("{} is not a revision of {}", utf8::ticked(name),
                                  utf8::tickedPath(folder.native())));
  return NamedTree{name, folder, llvm::StringRef(tree->output).rtrim('\n').str()};
}

llvm::Expected<Revision> Revision::open(const NamedTree& named, const Limits& limits) {
  auto passing = PassingFolder::make();
  if (!passing)
    return passing.takeError();
  Revision out(named.name, named.top, std::move(*passing), limits);
  if (auto error = out.readTree(named.tree))
    return error;
  return out;
}

llvm::Error Revision::readTree(const std::string& tree) {
  // Marks the project's root, as the repository's own does.
  if (auto error = folder_.addFolder(".git"))
    return error;
  auto listed = git(top_, {"ls-tree", "-r", "-l", "-z", "--full-tree", tree});
  if (!listed)
    return listed.takeError();
  if (listed->status != 0)
    return gitFault(*listed);
  llvm::StringRef rest(listed->output);
  while (!rest.empty()) {
    auto [line, after] = rest.split('\0');
    addBlob(std::string_view(line.data(), line.size()));
    rest = after;
  }
  return llvm::Error::success();
}

/// "100644 blob <id>    <size>\t<path>"
void Revision::addBlob(std::string_view line) {
  auto [about, path] = llvm::StringRef(line.data(), line.size()).split('\t');
  llvm::SmallVector<llvm::StringRef> words;
  about.split(words, ' ', -1, false);
  if (words.size() != 4 || words[1] != "blob" || !isPlain(path))
    return;
  std::uint64_t size = 0;
  const bool isLink = !words[0].starts_with("100");
  if (isLink)
    unread_.emplace(path.str(), Omission::Link);
  if (words[3].getAsInteger(10, size)) // Git says BAD
    unread_.emplace(path.str(), Omission::Missing);
  else
    (isLink ? links_ : blobs_).emplace(path.str(), Blob{words[2].str(), size});
}

/// What a revision has and cannot be had is not what it lacks. Links are left out unless they are
/// named.
llvm::Error Revision::refuseUnread(const std::string& path) const {
  const std::string folder = path.empty() ? "" : path + "/";
  for (const auto& [name, why] : unread_) {
    const bool isNamed = name == path;
    if (why == Omission::Link && isNamed)
      return usageError(fmt::format(
          "{} is a symbolic link in {}; links of a revision are not followed, so name its target",
          utf8::tickedPath(name), utf8::ticked(name_)));
    const bool isContract = llvm::StringRef(name).ends_with(contractSuffix) || isSettings(name);
    if (why == Omission::Missing && (isNamed || (isContract && name.starts_with(folder))))
      return usageError(
          fmt::format("{} of {} cannot be read: the repository lacks its object, or it is damaged; "
                      "run `git fsck`, or `git fetch --refetch` in a partial clone",
                      utf8::tickedPath(name), utf8::ticked(name_)));
  }
  return llvm::Error::success();
}

llvm::Expected<std::optional<fs::path>> Revision::layOut(const fs::path& path) {
  fs::path relative = path.lexically_relative(top_);
  if (relative.empty() || *relative.begin() == "..")
    return usageError(fmt::format("{} is outside the repository {}",
                                  utf8::tickedPath(path.native()),
                                  utf8::tickedPath(top_.native())));
  return layOutNamed(relative == "." ? std::string() : relative.string());
}

llvm::Expected<std::optional<fs::path>> Revision::layOutNamed(const std::string& path) {
  if (auto error = refuseUnread(path))
    return error;
  std::set<std::string> wanted = asked(path);
  if (!blobs_.contains(path))
    if (auto error = follow(path.empty() ? "" : path + "/", wanted))
      return error;
  if (wanted.empty())
    return std::nullopt;
  for (const auto& [name, blob] : blobs_)
    if (isSettings(name))
      wanted.insert(name);
  while (!wanted.empty()) {
    std::vector<std::string> fresh;
    for (const std::string& each : wanted)
      if (blobs_.contains(each) && written_.insert(each).second)
        fresh.push_back(each);
    if (auto error = write(fresh))
      return error;
    wanted = parentsOf(fresh);
  }
  return folder_.path() / path;
}

llvm::Expected<fs::path> Revision::layOutFolder(const fs::path& path) {
  fs::path relative = path.lexically_relative(top_);
  bool isAround = relative.empty() || relative == "." ||
                  std::all_of(relative.begin(), relative.end(),
                              [](const fs::path& part) { return part == ".."; });
  if (!isAround && *relative.begin() == "..")
    return usageError(fmt::format("{} is outside the repository {}",
                                  utf8::tickedPath(path.native()),
                                  utf8::tickedPath(top_.native())));
  fs::path place = isAround ? folder_.path() : folder_.path() / relative;
  if (auto error = makeFolder(place))
    return error;
  return place;
}

/// The file of the path, or the contracts below it.
std::set<std::string> Revision::asked(const std::string& path) const {
  if (blobs_.contains(path))
    return {path};
  std::set<std::string> out;
  std::string folder = path.empty() ? "" : path + "/";
  for (auto each = blobs_.lower_bound(folder); each != blobs_.end(); ++each) {
    if (!each->first.starts_with(folder))
      break;
    if (each->first.ends_with(contractSuffix))
      out.insert(each->first);
  }
  return out;
}

/// All in one run of Git. What is larger than tikc reads is laid out as a file of that size, to be
/// refused like any.
llvm::Expected<std::vector<std::string>> Revision::textsOf(const std::vector<Blob>& blobs) const {
  constexpr std::uint64_t mostBytes = 128u << 20;
  std::string ids;
  std::uint64_t bytes = 0;
  for (const Blob& blob : blobs) {
    bytes += blob.size;
    ids += blob.id + "\n";
  }
  if (bytes > mostBytes)
    return usageError(fmt::format("{} has {} bytes of contracts; expected at most {}",
                                  utf8::ticked(name_), bytes, mostBytes));
  auto answered = git(top_, {"cat-file", "--batch"}, ids);
  if (!answered)
    return answered.takeError();
  if (answered->status != 0)
    return gitFault(*answered);
  llvm::StringRef rest(answered->output);
  std::vector<std::string> out;
  out.reserve(blobs.size());
  for (const Blob& blob : blobs) {
    auto begin = rest.find('\n'); // of a line that says so, and there is one behind it
    if (begin == llvm::StringRef::npos || rest.size() < begin + 1 + blob.size)
      return llvm::createStringError(std::make_error_code(std::errc::io_error),
                                     "git: an answer was cut short");
    out.push_back(rest.substr(begin + 1, blob.size).str());
    rest = rest.substr(std::min<std::size_t>(begin + 2 + blob.size, rest.size()));
  }
  return out;
}

llvm::Error Revision::write(const std::vector<std::string>& paths) {
  std::vector<Blob> blobs;
  blobs.reserve(paths.size());
  for (const std::string& path : paths)
    blobs.push_back(blobs_.at(path));
  auto texts = textsOf(blobs);
  if (!texts)
    return texts.takeError();
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (auto error = folder_.add(paths[i], (*texts)[i]))
      return error;
  return llvm::Error::success();
}

/// What leads out of the revision, or to what is no file of it, is none.
llvm::Error Revision::follow(const std::string& folder, std::set<std::string>& wanted) {
  std::vector<std::string> names;
  std::vector<Blob> blobs;
  for (auto each = links_.lower_bound(folder); each != links_.end(); ++each) {
    if (!each->first.starts_with(folder))
      break;
    if (!each->first.ends_with(contractSuffix))
      continue;
    names.push_back(each->first);
    blobs.push_back(each->second);
  }
  if (names.empty())
    return llvm::Error::success();
  auto texts = textsOf(blobs);
  if (!texts)
    return texts.takeError();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const fs::path link = names[i];
    const std::string to = (link.parent_path() / (*texts)[i]).lexically_normal().string();
    if (!blobs_.contains(to))
      continue;
    wanted.insert(to);
    if (auto error = folder_.addLink(link, to))
      return error;
  }
  return llvm::Error::success();
}

std::set<std::string> Revision::parentsOf(const std::vector<std::string>& paths) const {
  std::set<std::string> out;
  for (const std::string& path : paths) {
    fs::path place = folder_.path() / path;
    auto text = readFile(place, limits_);
    if (text && !text->tooLarge)
      for (const fs::path& parent : parentFilesOf(place, std::move(text->text), limits_))
        out.insert(parent.lexically_relative(folder_.path()).string());
    llvm::consumeError(text.takeError());
  }
  return out;
}

std::string Revision::displayOf(const fs::path& laidOut) const {
  fs::path relative = laidOut.lexically_relative(folder_.path());
  std::string out = fmt::format("git:{}:", name_);
  return relative == "." ? out : out + "/" + relative.string();
}

} // namespace tikc::project
