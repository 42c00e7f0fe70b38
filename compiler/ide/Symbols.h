#pragma once

#include "ide/Family.h"
#include "yaml/Tree.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::ide {

/// The icon of a symbol in lists.
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

/// A part of a contract that a user can go to, and the parts in it.
struct Symbol {
  std::string name, detail;
  SymbolKind kind = SymbolKind::Property;
  Span whole, named;
  std::vector<Symbol> children;
};
std::vector<Symbol> symbolsIn(const Outline& outline, const yaml::Tree& tree);

/// The definitions whose names are nearest to a query, and the total number of matches.
struct Matches {
  std::vector<NamedPlace> places;
  std::size_t count = 0;
};
Matches matchesOf(std::span<const std::shared_ptr<const Outline>> outlines, std::string_view query);

} // namespace tikc::ide
