#pragma once

#include "ide/Analysis.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tikc::lsp {

/// A file as Git has it at HEAD, with what it extends there.
struct Committed {
  std::string tree;                      // the id of HEAD's
  std::optional<ide::Analysis> analysis; // nothing where it is new
};

/// Reads and checks it; `known` where HEAD is what it was then. Null where there is no Git, no
/// repository, or nothing that was committed. It takes as long as Git does.
std::shared_ptr<const Committed> committedAt(const std::filesystem::path& path,
                                             std::shared_ptr<const Committed> known,
                                             const Limits& limits);

} // namespace tikc::lsp
