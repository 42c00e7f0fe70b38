#pragma once

#include <llvm/Support/Error.h>

#include <span>
#include <string>
#include <vector>

namespace tikc::data {

/// The files that are meant, in their order: globs in that of their names, and each file once.
struct NamedFiles {
  std::vector<std::string> paths;
  std::vector<std::string> repeated;
};
llvm::Expected<NamedFiles> filesNamed(std::span<const std::string> paths);
/// "a, b and 3 more"
std::string someOf(std::span<const std::string> names);

} // namespace tikc::data
