#pragma once

#include <llvm/Support/JSON.h>

#include <span>

namespace tikc::lsp {

/// Findings as the answer to a client that asks for them, or that they are those it has.
llvm::json::Object report(std::span<const llvm::json::Value* const> findings,
                          llvm::StringRef previous);

} // namespace tikc::lsp
