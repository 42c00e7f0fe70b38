#pragma once

#include "ide/Analysis.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tikc::lsp {

/// A file at HEAD, with the files that it extends there.
struct CommittedFile {
  std::string tree;                      // the id of HEAD's tree
  std::optional<ide::Analysis> analysis; // empty for a new file
};

/// Reads and checks the file; returns `known` if HEAD is still at its tree. Null without Git, a
/// repository or a commit. Takes as long as Git does.
std::shared_ptr<const CommittedFile> committedAt(const std::filesystem::path& path,
                                                 std::shared_ptr<const CommittedFile> known,
                                                 const Limits& limits);

} // namespace tikc::lsp
