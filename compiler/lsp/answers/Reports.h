#pragma once

#include <llvm/Support/JSON.h>

#include <span>

namespace tikc::lsp {

/// Returns findings for a client that pulls them, or the answer that they are unchanged.
llvm::json::Object report(std::span<const llvm::json::Value* const> findings,
                          llvm::StringRef previous);

} // namespace tikc::lsp
