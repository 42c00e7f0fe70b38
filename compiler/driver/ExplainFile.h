#pragma once

#include "driver/Commands.h"

namespace tikc::driver {

/// Whether `tikc explain` treats the word as a file rather than a code.
bool namesFile(const std::string& word);

/// Implements `tikc explain FILE`: why each claim follows, or what is missing.
llvm::Expected<int> explainFile(const Invocation& invocation);

} // namespace tikc::driver
