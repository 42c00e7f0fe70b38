#include "lsp/SymbolKinds.h"

#include "support/Check.h"

namespace tikc::lsp {

SymbolKind symbolKindOf(const sema::Mention& definition) {
  switch (definition.space) {
  case sema::NameSpace::Contract:
    return SymbolKind::Module;
  case sema::NameSpace::Kernel:
    return SymbolKind::Class;
  case sema::NameSpace::Label:
    return SymbolKind::Enum;
  case sema::NameSpace::Slice:
  case sema::NameSpace::LabelValue:
    return SymbolKind::EnumMember;
  case sema::NameSpace::Statement:
    return definition.section == "escalation" ? SymbolKind::Event
           : definition.section == "claims"   ? SymbolKind::Boolean
                                              : SymbolKind::Field;
  }
  TIKC_CHECK(false, "each space of names has its case");
}

} // namespace tikc::lsp
