#include "driver/Commands.h"
#include "project/Starter.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <filesystem>

namespace tikc::driver {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view suffix = ".tikc.yaml";

/// What the user may have meant by a path that is no contract's.
llvm::Error notAContract(const fs::path& path) {
  std::error_code error;
  bool isFolder = path.empty() || !path.has_filename() || fs::is_directory(path, error);
  fs::path near = isFolder ? path / "contract" : path.parent_path() / path.stem();
  return usageError(fmt::format("expected a file name ending in {0}; try `tikc init {1}{0}`",
                                suffix, utf8::printable(near.native())));
}

} // namespace

llvm::Expected<int> runInit(const Invocation& invocation) {
  fs::path path =
      invocation.arguments.empty() ? "contract.tikc.yaml" : invocation.arguments.front();
  std::string name = path.filename().string();
  std::string shown = utf8::printable(path.native());
  if (!name.ends_with(suffix) || name.size() == suffix.size())
    return notAContract(path);
  std::error_code error;
  if (!invocation.has("--force") &&
      fs::symlink_status(path, error).type() != fs::file_type::not_found)
    return usageError(fmt::format("`{}` already exists; use --force to overwrite it", shown));
  // A pipe without a reader would be waited for.
  if (auto kind = fs::status(path, error).type();
      kind != fs::file_type::not_found && kind != fs::file_type::regular)
    return usageError(fmt::format("`{}` is not a regular file", shown));
  std::string contract =
      project::starterContract(std::string_view(name).substr(0, name.size() - suffix.size()));
  if (path.has_parent_path())
    if (auto failure = makeFolder(path.parent_path()))
      return failure;
  if (auto failure = writeFile(path, contract))
    return failure;
  if (auto failure = writeStandardOutput(fmt::format("wrote {0}; now: tikc check {0}\n", shown)))
    return failure;
  return Clean;
}

} // namespace tikc::driver
