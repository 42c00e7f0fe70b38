#pragma once

#include <llvm/Support/JSON.h>

namespace tikc::lsp {

/// Findings as the answer to a client that asks for them, or that they are those it has.
llvm::json::Object report(llvm::json::Array findings, llvm::StringRef previous);

} // namespace tikc::lsp
