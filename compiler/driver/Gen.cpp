#include "driver/Commands.h"
#include "driver/gen/Generators.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <filesystem>

namespace tikc::driver {

namespace fs = std::filesystem;

namespace {

struct GeneratedFile {
  std::string_view path;
  std::string (*text)();
};

constexpr GeneratedFile generatedFiles[] = {
#define GENERATED(path, generator) {path, gen::generator},
#include "driver/gen/GeneratedFiles.def"
};

/// Nothing but a file that can be read and has the very text is up to date.
bool isCurrent(const fs::path& path, std::string_view text) {
  auto file = readFile(path, Limits{});
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  return !file->tooLarge && file->text == text;
}

llvm::Error write(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error)
    return llvm::createStringError(
        error, fmt::format("cannot make the folder of `{}`: {}", path.string(), error.message()));
  return writeFile(path, text);
}

} // namespace

llvm::Expected<int> runGen(const Invocation& invocation) {
  std::string mode = invocation.get("--mode");
  fs::path root = invocation.get("--root");
  std::error_code error;
  if (!fs::exists(root / "compiler/driver/gen/GeneratedFiles.def", error))
    return usageError(
        fmt::format("`{}` is not the root of tikc's source tree", utf8::printable(root.string())));
  std::string report;
  bool stale = false;
  for (const GeneratedFile& file : generatedFiles) {
    std::string text = mode == "dry-run" ? std::string() : file.text();
    bool named = mode == "dry-run" || !isCurrent(root / file.path, text);
    if (mode == "write" && named)
      if (auto failure = write(root / file.path, text))
        return failure;
    if (named)
      report += fmt::format("{}{}\n",
                            mode == "check"   ? "out of date: "
                            : mode == "write" ? "written: "
                                              : "",
                            file.path);
    stale |= mode == "check" && named;
  }
  if (stale)
    report += "`tikc gen --mode=write` brings them up to date\n";
  if (auto failure = writeStandardOutput(report))
    return failure;
  return stale ? Findings : Clean;
}

} // namespace tikc::driver
