#include "driver/Commands.h"
#include "pipeline/Starter.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <filesystem>

namespace tikc::driver {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view suffix = ".tikc.yaml";

} // namespace

llvm::Expected<int> runInit(const Invocation& invocation) {
  fs::path path =
      invocation.arguments.empty() ? "contract.tikc.yaml" : invocation.arguments.front();
  std::string name = path.filename().string();
  std::string shown = utf8::printable(path.native());
  if (!name.ends_with(suffix) || name.size() == suffix.size())
    return usageError(fmt::format("a contract's file ends in {}: write `tikc init {}{}`", suffix,
                                  utf8::printable(path.stem().native()), suffix));
  std::error_code error;
  if (!invocation.has("--force") &&
      fs::symlink_status(path, error).type() != fs::file_type::not_found)
    return usageError(fmt::format("`{}` exists; --force replaces it", shown));
  std::string contract =
      pipeline::starterContract(std::string_view(name).substr(0, name.size() - suffix.size()));
  if (auto failure = writeFile(path, contract))
    return failure;
  if (auto failure = writeStandardOutput(fmt::format("wrote {0}; now: tikc check {0}\n", shown)))
    return failure;
  return Clean;
}

} // namespace tikc::driver
