#pragma once

#include "pipeline/Fixing.h"

#include <llvm/Support/Error.h>

#include <string_view>

namespace tikc::driver {

/// Writes the text in place of the one that was read, unless somebody else changed the file
/// meanwhile.
llvm::Error rewrite(const Source& before, std::string_view after, const Limits& limits);

/// Writes what changed to the files it came from. One that cannot be written, or that somebody else
/// changed meanwhile, is put back and told of; the others are written all the same.
llvm::Error writeFixed(const SourceManager& sources, const Limits& limits,
                       pipeline::Fixing& fixing);

} // namespace tikc::driver
