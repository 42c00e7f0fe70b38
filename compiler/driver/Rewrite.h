#pragma once

#include "pipeline/Fixing.h"

#include <llvm/Support/Error.h>

#include <string_view>

namespace tikc::driver {

/// Replaces a file's text, unless another program changed the file after it was read.
llvm::Error rewrite(const Source& before, std::string_view after, const Limits& limits);

/// Writes the fixed files. A file that cannot be written, or that changed meanwhile, is reported
/// and loses its fixes; the others are written.
llvm::Error writeFixed(const SourceManager& sources, const Limits& limits,
                       pipeline::Fixing& fixing);

} // namespace tikc::driver
