#pragma once

#include <llvm/Support/JSON.h>

#include <string>

namespace tikc::lsp {

/// Appends a value as text, with sorted keys. LLVM's writer sends each character through a stream,
/// which dominates the time of long responses.
void append(std::string& out, const llvm::json::Value& value);

} // namespace tikc::lsp
