#include "data/Paths.h"

#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <glob.h>

#include <filesystem>
#include <set>

namespace tikc::data {
namespace {

namespace fs = std::filesystem;

/// A file whose name has brackets is that file, whatever a pattern would make of it.
bool isPattern(const std::string& path) {
  std::error_code error;
  return path.find_first_of("*?[") != std::string::npos && !fs::exists(path, error);
}

std::vector<std::string> matching(const std::string& pattern) {
  glob_t found = {};
  std::vector<std::string> out;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (std::size_t i = 0; i < found.gl_pathc; ++i)
      out.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  return out;
}

} // namespace

llvm::Expected<NamedFiles> filesNamed(std::span<const std::string> paths) {
  NamedFiles out;
  std::set<fs::path> known;
  for (const std::string& path : paths) {
    if (isPattern(path) && path.find("**") != std::string::npos)
      return usageError(fmt::format(
          "{} has `**`, which matches no more than `*`; give a pattern for each folder depth",
          utf8::tickedPath(path)));
    const std::vector<std::string> all =
        isPattern(path) ? matching(path) : std::vector<std::string>{path};
    if (all.empty())
      return usageError(fmt::format("no file matches {}", utf8::tickedPath(path)));
    for (const std::string& each : all) {
      std::error_code error;
      const fs::path real = each == "-" ? fs::path("-") : fs::weakly_canonical(each, error);
      (known.insert(error ? fs::path(each) : real).second ? out.paths : out.repeated)
          .push_back(each);
    }
  }
  return out;
}

std::string someOf(std::span<const std::string> names) {
  constexpr std::size_t most = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    out += (i == 0 ? "" : ", ") + utf8::tickedPath(names[i]);
  if (names.size() > most)
    out += fmt::format(" and {} more", names.size() - most);
  return out;
}

} // namespace tikc::data
