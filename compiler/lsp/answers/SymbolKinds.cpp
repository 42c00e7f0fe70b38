#include "lsp/answers/SymbolKinds.h"

#include "support/Check.h"

namespace tikc::lsp {

int numberOf(ide::SymbolKind kind) {
  using Kind = ide::SymbolKind;
  switch (kind) {
  case Kind::Module:
    return 2;
  case Kind::Namespace:
    return 3;
  case Kind::Class:
    return 5;
  case Kind::Property:
    return 7;
  case Kind::Field:
    return 8;
  case Kind::Enum:
    return 10;
  case Kind::Boolean:
    return 17;
  case Kind::EnumMember:
    return 22;
  case Kind::Event:
    return 24;
  }
  TIKC_CHECK(false, "each kind of symbol has its number");
}

} // namespace tikc::lsp
