#pragma once

#include "diag/Diagnostic.h"

#include <optional>
#include <string>

namespace tikc::lsp {

/// Where the reference explains a code, as a URI; nothing where the pages are neither published nor
/// installed.
std::optional<std::string> pageOf(diag::Code code);

} // namespace tikc::lsp
