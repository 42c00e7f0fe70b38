#include "project/Settings.h"

#include "project/Projects.h"

#include "support/Files.h"
#include "support/Names.h"
#include "support/Utf8.h"
#include "yaml/YamlReader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tikc::project {

namespace fs = std::filesystem;
using utf8::ticked;
using yaml::Entry;
using yaml::Node;

namespace {

using diag::Severity;
constexpr ProfileInfo profileTable[] = {
#define PROFILE(Name, name, note, warning, error, meaning)                                         \
  {Profile::Name,                                                                                  \
   name,                                                                                           \
   {Severity::Off, Severity::note, Severity::warning, Severity::error},                            \
   meaning},
#include "project/Profiles.def"
};

class SettingsReader {
public:
  SettingsReader(Settings& settings, diag::Sink& sink) : settings_(settings), sink_(sink) {}

  void read(const Node& root) {
    if (root.isNull())
      return;
    if (root.kind != Node::Kind::Mapping)
      return bad(root.span, "tikc.yaml", "must be a map");
    for (const Entry& entry : root.entries)
      setting(entry);
  }

private:
  void bad(const Span& span, std::string_view setting, std::string_view why) {
    sink_.report<diag::BadSetting>(span, setting, why);
  }

  void setting(const Entry& entry) {
    struct Row {
      std::string_view key;
      void (SettingsReader::*read)(const Node&);
    };
    static constexpr Row rows[] = {
#define SETTING(reader, key, meaning) {key, &SettingsReader::reader},
#include "project/Settings.def"
    };
    std::vector<std::string_view> known;
    for (const Row& row : rows) {
      if (row.key == entry.key->value)
        return (this->*row.read)(*entry.value);
      known.push_back(row.key);
    }
    auto& found =
        sink_.report<diag::UnknownKey>(entry.key->span, ticked(entry.key->value), "tikc.yaml");
    found.offerNearest(entry.key->span, entry.key->value, known, Likeness::Slip);
    found.note(fmt::format("keys here: {}", fmt::join(known, ", ")));
  }

  void root(const Node& node) {
    std::error_code error;
    fs::path path =
        node.isText() ? fs::canonical(settings_.folder / node.value, error) : fs::path();
    if (!node.isText())
      bad(node.span, "root", "must be the path of a folder");
    else if (error || !fs::is_directory(path, error))
      bad(node.span, "root", "must be an existing folder");
    else
      settings_.root = path;
  }

  void severities(const Node& node) {
    if (node.kind != Node::Kind::Mapping)
      return bad(node.span, "severities",
                 "must be a map from codes to ignore, note, warning or error");
    for (const Entry& entry : node.entries) {
      auto code = diag::findCode(entry.key->value);
      auto severity = entry.value->isText() ? diag::findSeverity(entry.value->value) : std::nullopt;
      if (!code)
        sink_.report<diag::UnknownSettingCode>(entry.key->span, ticked(entry.key->value));
      else if (diag::info(*code).policy == diag::SeverityPolicy::Fixed)
        sink_.report<diag::FixedSeverity>(entry.key->span, ticked(entry.key->value));
      else if (!severity)
        bad(entry.value->span, entry.key->value, "must be ignore, note, warning or error");
      else
        settings_.severities[*code] = *severity;
    }
  }

  void profile(const Node& node) {
    std::vector<std::string_view> names;
    for (const ProfileInfo& row : profiles()) {
      if (node.isText() && node.value == row.name) {
        settings_.profile = row.profile;
        return;
      }
      names.push_back(row.name);
    }
    bad(node.span, "profile", "must be " + joinAlternatives(names));
  }

  void exclude(const Node& node) {
    if (node.kind != Node::Kind::Sequence)
      return bad(node.span, "exclude", "must be a list of patterns");
    for (const auto& item : node.items) {
      if (item->isText())
        settings_.exclude.push_back(item->value);
      else
        bad(item->span, "exclude", "must be a list of patterns");
    }
  }

  void forceExclude(const Node& node) {
    if (node.kind != Node::Kind::Scalar || node.type != yaml::ScalarType::Bool)
      return bad(node.span, "force-exclude", "must be true or false");
    settings_.forceExclude = node.isTrue();
  }

  Settings& settings_;
  diag::Sink& sink_;
};

/// Glob matching over characters or path segments. Falling back to the last star alone is enough,
/// and keeps a hostile pattern from taking exponential time.
template <typename Sequence>
bool matchesGlob(const Sequence& pattern, const Sequence& text, auto isStar, auto matchesOne) {
  std::size_t p = 0, n = 0, resume = 0;
  std::optional<std::size_t> star;
  while (n < text.size()) {
    if (p < pattern.size() && isStar(pattern[p])) {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && matchesOne(pattern[p], text[n])) {
      ++p, ++n;
    } else if (star) {
      p = *star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && isStar(pattern[p]))
    ++p;
  return p == pattern.size();
}

bool matchesName(std::string_view pattern, std::string_view name) {
  return matchesGlob(
      pattern, name, [](char c) { return c == '*'; },
      [](char c, char d) { return c == '?' || c == d; });
}

llvm::Error readSettings(SourceManager& sources, Settings& settings, const Limits& limits,
                         diag::Sink& sink) {
  auto file = readProjectFile(sources, settings.folder / settingsFile, limits, sink);
  if (!file)
    return file.takeError();
  if (!*file)
    return llvm::Error::success();
  yaml::Tree tree = yaml::readYaml(sources, **file, limits, sink);
  if (!tree.documents.empty())
    SettingsReader(settings, sink).read(*tree.documents.front().root);
  return llvm::Error::success();
}

std::vector<std::string> parts(const fs::path& path) {
  std::vector<std::string> out;
  for (const fs::path& part : path)
    if (!part.empty() && part != "." && part != "/")
      out.push_back(part.string());
  return out;
}

} // namespace

std::span<const ProfileInfo> profiles() { return profileTable; }
const ProfileInfo& info(Profile profile) { return profileTable[static_cast<std::size_t>(profile)]; }

diag::Severity Settings::severityOf(diag::Code code, diag::Severity severity) const {
  if (auto set = severities.find(code); set != severities.end())
    return set->second;
  if (diag::info(code).policy == diag::SeverityPolicy::Fixed)
    return severity;
  return info(profile).severities[static_cast<std::size_t>(severity)];
}

/// Findings quote it, so a link there must not decide what is quoted.
static llvm::Error refuseStrangeLink(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  if (error || real.filename() == path.filename() || isBelow(real, path.parent_path()))
    return llvm::Error::success();
  return llvm::createStringError(std::make_error_code(std::errc::permission_denied),
                                 "%s: its link leads to what is no %s", path.c_str(),
                                 path.filename().c_str());
}

llvm::Expected<std::optional<FileId>> readProjectFile(SourceManager& sources, const fs::path& path,
                                                      const Limits& limits, diag::Sink& sink) {
  std::error_code error;
  llvm::Expected<FileText> text = FileText();
  if (auto edited = sources.overlaid(path))
    *text = {*edited, edited->size() > limits.fileBytes, edited->size()};
  else if (fs::exists(path, error)) {
    if (auto fault = refuseStrangeLink(path))
      return fault;
    text = readFile(path, limits);
  } else if (error == std::errc::too_many_symbolic_link_levels)
    return llvm::createStringError(error, "%s: %s", path.c_str(), error.message().c_str());
  else
    return std::nullopt;
  if (!text)
    return text.takeError();
  if (text->tooLarge)
    text->text.clear();
  FileId file = sources.add(path.lexically_proximate(fs::current_path(error)).string(), path,
                            std::move(text->text));
  if (text->tooLarge)
    sink.report<diag::FileTooLarge>(Span{file, 0, 0}, text->size, limits.fileBytes);
  return file;
}

bool hasSettings(const SourceManager& sources, const fs::path& folder) {
  std::error_code error;
  return sources.overlaid(folder / settingsFile) || fs::exists(folder / settingsFile, error) ||
         error == std::errc::too_many_symbolic_link_levels;
}

llvm::Expected<Settings> findSettings(SourceManager& sources, const fs::path& folder,
                                      const Limits& limits, diag::Sink& sink) {
  std::error_code error;
  fs::path start = fs::canonical(folder, error);
  if (error)
    return llvm::createStringError(error, "%s: %s", folder.c_str(), error.message().c_str());
  Settings settings;
  settings.root = settings.folder = start;
  for (fs::path at = start;; at = at.parent_path()) {
    bool isSet = hasSettings(sources, at);
    if (isSet || fs::exists(at / ".git", error)) {
      settings.root = settings.folder = at;
      settings.isMarked = true;
    }
    if (isSet)
      if (auto fault = readSettings(sources, settings, limits, sink))
        return fault;
    if (settings.isMarked || at == at.root_path())
      break;
  }
  return settings;
}

bool isExcluded(const Settings& settings, const fs::path& path) {
  std::error_code error;
  fs::path relative = fs::weakly_canonical(path, error).lexically_relative(settings.folder);
  if (relative.empty() || *relative.begin() == "..")
    return false;
  std::vector<std::string> names = parts(relative);
  for (const std::string& pattern : settings.exclude) {
    std::vector<std::string> wanted = parts(pattern);
    bool anywhere = pattern.find('/') == std::string::npos;
    if (anywhere)
      wanted.insert(wanted.begin(), "**");
    wanted.push_back("**"); // a folder that matches takes all below it
    if (matchesGlob(
            wanted, names, [](const std::string& part) { return part == "**"; }, matchesName))
      return true;
  }
  return false;
}

} // namespace tikc::project
