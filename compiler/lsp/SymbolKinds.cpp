#include "lsp/SymbolKinds.h"

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
  return SymbolKind::Property;
}

} // namespace tikc::lsp
