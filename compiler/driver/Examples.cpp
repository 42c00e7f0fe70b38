#include "driver/Examples.h"

#include <fmt/format.h>

#include <cstddef>

namespace tikc::driver {
namespace {

/// The array ends in a zero that is not the file's, since an empty file would be an empty array.
template <std::size_t size>
constexpr ExampleFile exampleFile(std::string_view code, std::string_view path,
                                  const char (&bytes)[size]) {
  return {code, path, {bytes, size - 1}};
}

#include "tikc/Examples.inc"

std::string_view trimmed(std::string_view line) {
  return line.substr(0, line.find_last_not_of('\n') + 1);
}

} // namespace

std::span<const ExampleFile> exampleFiles() { return exampleTable; }

std::string_view exampleText(std::string_view code, std::string_view path) {
  for (const ExampleFile& file : exampleTable)
    if (file.code == code && file.path == path)
      return file.text;
  return {};
}

std::string exampleCommand(std::string_view code) {
  std::string_view command = exampleText(code, "command");
  std::string out = fmt::format("tikc {}", command.empty() ? "check" : trimmed(command));
  std::string_view options = exampleText(code, "options");
  if (!options.empty())
    out += fmt::format(" {}", trimmed(options));
  return out;
}

} // namespace tikc::driver
