#pragma once

#include <llvm/ADT/StringRef.h>

#include <string_view>

namespace tikc {

inline llvm::StringRef asRef(std::string_view text) { return {text.data(), text.size()}; }

} // namespace tikc
