#pragma once

#include "ide/Symbols.h"

namespace tikc::lsp {

/// Returns the protocol's number.
int numberOf(ide::SymbolKind kind);

} // namespace tikc::lsp
