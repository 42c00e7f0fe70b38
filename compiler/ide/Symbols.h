#pragma once

#include "ide/Family.h"
#include "syntax/Tree.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::ide {

/// What lists of symbols show one as.
enum class SymbolKind : std::uint8_t {
  Module,
  Namespace,
  Class,
  Property,
  Field,
  Enum,
  Boolean,
  EnumMember,
  Event
};
SymbolKind symbolKindOf(const sema::Mention& definition);

/// A part of a contract that a reader may go to, with those within it.
struct Symbol {
  std::string name, detail;
  SymbolKind kind = SymbolKind::Property;
  Span whole, named;
  std::vector<Symbol> children;
};
std::vector<Symbol> symbolsIn(const Outline& outline, const syntax::Tree& tree);

/// The definitions whose names are the nearest to what was typed, and how many match in all.
struct Matches {
  std::vector<NamedPlace> places;
  std::size_t count = 0;
};
Matches matchesOf(std::span<const std::shared_ptr<const Outline>> outlines, std::string_view query);

} // namespace tikc::ide
