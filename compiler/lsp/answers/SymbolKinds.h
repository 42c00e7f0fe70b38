#pragma once

#include "ide/Symbols.h"

namespace tikc::lsp {

/// The protocol's number.
int numberOf(ide::SymbolKind kind);

} // namespace tikc::lsp
