#pragma once

#include <llvm/Support/JSON.h>

#include <string>

namespace tikc::lsp {

/// Appends a value as text, keys in their order. LLVM's own writer goes character by character
/// through a stream, which takes most of the time of a long answer.
void append(std::string& out, const llvm::json::Value& value);

} // namespace tikc::lsp
