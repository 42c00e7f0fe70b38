#include "project/Projects.h"

#include "diag/Sink.h"
#include "project/Baseline.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::project {

namespace fs = std::filesystem;

namespace {

/// Emacs marks a file that is being edited with a link of such a name, which leads nowhere.
constexpr std::string_view editorsLock = ".#";

constexpr std::string_view toolsFolders[] = {".git", ".hg", ".svn", ".jj", "node_modules"};
bool isToolsName(std::string_view name) {
  return std::find(std::begin(toolsFolders), std::end(toolsFolders), name) !=
         std::end(toolsFolders);
}

/// What tools leave in folders that they made: caches by their convention, Python's environments,
/// builds of CMake unless they are where its sources are.
struct ToolsMark {
  std::string_view file, butWith;
};
constexpr ToolsMark toolsMarks[] = {
    {"CACHEDIR.TAG", ""}, {"pyvenv.cfg", ""}, {"CMakeCache.txt", "CMakeLists.txt"}};

/// `isThere` says whether a file is in the folder.
bool isMarkedByTools(auto isThere) {
  return std::any_of(std::begin(toolsMarks), std::end(toolsMarks), [&](const ToolsMark& mark) {
    return isThere(mark.file) && (mark.butWith.empty() || !isThere(mark.butWith));
  });
}

/// What is in a folder, as far as it can be read.
std::vector<fs::directory_entry> contentOf(const fs::path& folder, std::error_code& error) {
  std::vector<fs::directory_entry> out;
  for (fs::directory_iterator next(folder, error); !error && next != fs::directory_iterator();
       next.increment(error))
    out.push_back(*next);
  return out;
}

bool has(const std::vector<fs::directory_entry>& content, std::string_view file) {
  return std::any_of(content.begin(), content.end(), [&](const fs::directory_entry& entry) {
    std::string_view path = entry.path().native();
    return path.ends_with(file) && path[path.size() - file.size() - 1] == '/';
  });
}

/// Why what is found under a contract's name is none; empty for a file.
std::string_view whyNoFile(const fs::directory_entry& entry) {
  std::error_code error;
  fs::file_status status = entry.status(error);
  if (error == std::errc::too_many_symbolic_link_levels)
    return "its link leads in a circle";
  if (status.type() == fs::file_type::not_found)
    return "its link leads nowhere";
  // What may not be looked at may be a file: reading it tells.
  bool isFile = status.type() == fs::file_type::regular || status.type() == fs::file_type::none;
  return isFile ? "" : "it is not a regular file";
}

} // namespace

bool isBelow(const fs::path& path, const fs::path& folder) {
  auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

bool isOfTools(const fs::path& folder) {
  std::error_code error;
  return isToolsName(folder.filename().native()) ||
         isMarkedByTools([&](std::string_view file) { return fs::exists(folder / file, error); });
}

/// The nearest folder at or above that says where a project starts; empty where none does. Asked
/// once a folder.
const fs::path& Projects::markedAncestor(const fs::path& folder) {
  auto [place, fresh] = marked_.try_emplace(folder);
  if (fresh) {
    std::error_code error;
    if (hasSettings(sources_, folder) || fs::exists(folder / ".git", error))
      place->second = folder;
    else if (folder.has_relative_path())
      place->second = markedAncestor(folder.parent_path());
  }
  return place->second;
}

const Settings* Projects::settingsFor(const fs::path& folder, const fs::path& start) {
  const fs::path& marked = markedAncestor(folder);
  auto [place, fresh] = settings_.try_emplace(marked.empty() ? start : marked);
  if (!fresh)
    return place->second.get();
  diag::Sink sink(limits_);
  auto settings = findSettings(sources_, place->first, limits_, sink);
  if (settings && !ignoresBaselines_)
    if (auto error = addBaseline(sources_, *settings, limits_, sink))
      settings = std::move(error);
  if (!settings) {
    faults_.push_back(llvm::toString(settings.takeError()));
    return nullptr;
  }
  for (diag::Diagnostic& finding : sink.take())
    findings_.push_back(std::move(finding));
  place->second = std::make_unique<Settings>(std::move(*settings));
  if (!root_.empty())
    place->second->root = root_;
  return place->second.get();
}

Projects::Listing Projects::listAll(const ListedPath& folder, const fs::path& start) {
  Listing out;
  std::vector<ListedPath> pending{folder};
  while (!pending.empty()) {
    ListedPath next = std::move(pending.back());
    pending.pop_back();
    Listing listing = list(next, start);
    out.excludesAny |= listing.excludesAny;
    out.passedOver.insert(out.passedOver.end(), listing.passedOver.begin(),
                          listing.passedOver.end());
    pending.insert(pending.end(), listing.folders.begin(), listing.folders.end());
    out.files.insert(out.files.end(), listing.files.begin(), listing.files.end());
  }
  std::sort(out.files.begin(), out.files.end(),
            [](const ListedPath& a, const ListedPath& b) { return a.display < b.display; });
  return out;
}

/// Trees that build tools make are links to contracts elsewhere. What is none is shown to nobody
/// who put a link to it into a folder; nor is anything outside a root that was asked for.
bool Projects::mayLeadTo(const fs::path& file, const fs::path& root) const {
  return isBelow(file, root) ||
         (root_.empty() && file.filename().native().ends_with(contractSuffix));
}

bool Projects::hasSuffix(std::string_view name) const {
  return std::any_of(suffixes_.begin(), suffixes_.end(),
                     [&](std::string_view each) { return name.ends_with(each); });
}

Projects::Listing Projects::list(const ListedPath& folder, const fs::path& start) {
  Listing out;
  std::error_code error;
  std::vector<fs::directory_entry> entries = contentOf(folder.path, error);
  if (!folder.isNamed && isMarkedByTools([&](std::string_view file) { return has(entries, file); }))
    return out;
  const Settings* settings = entries.empty() ? nullptr : settingsFor(folder.path, start);
  for (const fs::directory_entry& entry : entries) {
    std::string name = entry.path().filename().string();
    std::error_code ignored;
    bool isFolder = entry.is_directory(ignored) && !entry.is_symlink(ignored) && !isToolsName(name);
    bool isContract = hasSuffix(name) && !entry.is_directory(ignored);
    if (!isFolder && !isContract)
      continue;
    if (settings && !settings->exclude.empty() && isExcluded(*settings, entry.path())) {
      out.excludesAny = true;
      continue;
    }
    fs::path display = folder.display.empty() ? fs::path(name) : fs::path(folder.display) / name;
    if (isFolder) {
      out.folders.push_back({display.string(), entry.path()});
      continue;
    }
    std::string shown = utf8::tickedPath(display.native());
    if (std::string_view why = whyNoFile(entry); !why.empty()) {
      if (!name.starts_with(editorsLock))
        out.passedOver.push_back(fmt::format("skipped {}: {}", shown, why));
      continue;
    }
    std::error_code broken;
    fs::path real = entry.is_symlink(ignored) ? fs::canonical(entry.path(), broken) : entry.path();
    if (broken)
      faults_.push_back(fmt::format("cannot read {}: {}", shown, broken.message()));
    else if (!mayLeadTo(real, settings ? settings->root : start))
      out.passedOver.push_back(fmt::format("skipped {}: its link leads out of the root", shown));
    else
      out.files.push_back({display.string(), real});
  }
  if (error)
    faults_.push_back(fmt::format("cannot read the folder {}: {}",
                                  utf8::tickedPath(folder.display.empty() ? "." : folder.display),
                                  error.message()));
  return out;
}

} // namespace tikc::project
