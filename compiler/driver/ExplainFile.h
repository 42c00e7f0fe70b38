#pragma once

#include "driver/Commands.h"

namespace tikc::driver {

/// Whether `tikc explain` takes the word for a file rather than for a code.
bool namesFile(const std::string& word);

/// `tikc explain FILE`: why each claim of a contract follows, or how far it is from it.
llvm::Expected<int> explainFile(const Invocation& invocation);

} // namespace tikc::driver
