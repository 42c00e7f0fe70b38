#pragma once

#include "sema/Mentions.h"

#include <string>

namespace tikc::lsp {

/// What lists of symbols show the thing as, in the protocol's numbers.
enum class SymbolKind : int {
  Module = 2,
  Namespace = 3,
  Class = 5,
  Property = 7,
  Field = 8,
  Enum = 10,
  Boolean = 17,
  EnumMember = 22,
  Event = 24
};
SymbolKind symbolKindOf(const sema::Mention& definition);

} // namespace tikc::lsp
