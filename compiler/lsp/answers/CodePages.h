#pragma once

#include "diag/Diagnostic.h"

#include <optional>
#include <string>

namespace tikc::lsp {

/// Returns the URI of a code's explanation in the reference; nothing if the pages are neither
/// published nor installed.
std::optional<std::string> pageOf(diag::Code code);

} // namespace tikc::lsp
