#include "driver/reference/Pages.h"
#include "gen/Generators.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace tikc::gen {
namespace {

namespace fs = std::filesystem;

struct GeneratedFile {
  std::string_view path;
  std::string (*text)();
};

constexpr GeneratedFile filesInTree[] = {
#define IN_TREE(path, text) {path, text},
#include "gen/GeneratedFiles.def"
};
constexpr GeneratedFile builtFiles[] = {
#define BUILT(path, text) {path, text},
#include "gen/GeneratedFiles.def"
};

constexpr std::string_view usageText =
    "usage: tikc-gen check ROOT    list outdated files of a source tree, and fail if there are "
    "any\n"
    "       tikc-gen write ROOT    update them\n"
    "       tikc-gen build FOLDER  write the pages of packages and of the site\n";

bool isCurrent(const fs::path& path, std::string_view text) {
  auto file = readFile(path, Limits{});
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  return !file->tooLarge && file->text == text;
}

/// Writes a file if its text differs, so that builds see what changed. Returns false on a fault.
bool write(const fs::path& path, std::string_view text) {
  if (isCurrent(path, text))
    return true;
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (auto fault = writeFile(path, text)) {
    fmt::print(stderr, "tikc-gen: {}\n", llvm::toString(std::move(fault)));
    return false;
  }
  fmt::print("written: {}\n", utf8::printable(path.native()));
  return true;
}

bool writeAll(std::span<const GeneratedFile> files, const fs::path& folder) {
  for (const GeneratedFile& each : files)
    if (!write(folder / each.path, each.text()))
      return false;
  return true;
}

bool areCurrent(const fs::path& root) {
  bool out = true;
  for (const GeneratedFile& each : filesInTree)
    if (!isCurrent(root / each.path, each.text())) {
      fmt::print(stderr, "out of date: {}; run `make gen`\n", each.path);
      out = false;
    }
  return out;
}

int run(std::span<char* const> words) {
  const std::string_view mode = words.size() == 3 ? words[1] : "";
  const fs::path folder = words.size() == 3 ? words[2] : "";
  if (mode == "check")
    return areCurrent(folder) ? 0 : 1;
  if (mode == "write")
    return writeAll(filesInTree, folder) ? 0 : 2;
  if (mode == "build")
    return writeAll(builtFiles, folder) ? 0 : 2;
  fmt::print(stderr, "{}", usageText);
  return 2;
}

} // namespace
} // namespace tikc::gen

int main(int count, char** words) {
  return tikc::gen::run({words, static_cast<std::size_t>(count)});
}
