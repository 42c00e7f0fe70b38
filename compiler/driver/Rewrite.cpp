#include "driver/Rewrite.h"

#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::driver {

llvm::Error rewrite(const Source& before, std::string_view after, const Limits& limits) {
  auto now = readFile(before.path, limits);
  if (!now)
    return now.takeError();
  if (now->text == after) // by its other name, where a file has two
    return llvm::Error::success();
  if (now->text != before.text)
    return llvm::createStringError(
        std::make_error_code(std::errc::resource_unavailable_try_again),
        fmt::format("`{}` changed after it was read; nothing was written",
                    utf8::printable(before.name)));
  return writeFile(before.path, after);
}

llvm::Error writeFixed(const SourceManager& sources, const Limits& limits,
                       pipeline::Fixing& fixing) {
  llvm::Error errors = llvm::Error::success();
  for (std::size_t i = 0; i < fixing.files().size(); ++i) {
    const project::InputFile& input = fixing.files()[i];
    if (!fixing.changed(i) || input.standardInput)
      continue;
    auto error = rewrite(sources.get(fixing.original(i)), sources.get(input.file).text, limits);
    if (!error)
      continue;
    errors = llvm::joinErrors(std::move(errors), std::move(error));
    fixing.putBack(i);
  }
  return errors;
}

} // namespace tikc::driver
