#pragma once

#include "checker/emit/Emit.h"

namespace tikc::emit::cpp {

/// Returns a header in C99, and the C++ source that implements it on the contracts' header.
/// `spaces` are the namespaces of the contracts there.
std::vector<File> emitCInterface(const std::vector<plan::Plan>& plans,
                                 const std::vector<std::string>& spaces, const std::string& stem,
                                 const Options& options);

} // namespace tikc::emit::cpp
