#pragma once

#include "checker/emit/Emit.h"

namespace tikc::emit::cpp {

/// Returns a header that any source may include, and the CUDA source that implements it. `spaces`
/// are the namespaces of the contracts.
std::vector<File> emitDevicePart(const std::vector<plan::Plan>& plans,
                                 const std::vector<std::string>& spaces, const std::string& stem,
                                 const Options& options);

} // namespace tikc::emit::cpp
