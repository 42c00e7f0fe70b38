#pragma once

#include <llvm/Support/Error.h>

#include <span>
#include <string>
#include <vector>

namespace tikc::data {

/// The selected files in order, each once; the files of a glob are sorted by name.
struct NamedFiles {
  std::vector<std::string> paths;
  std::vector<std::string> repeated;
};
llvm::Expected<NamedFiles> filesNamed(std::span<const std::string> paths);
/// Formats a list of names: "a, b and 3 more"
std::string someOf(std::span<const std::string> names);

} // namespace tikc::data
