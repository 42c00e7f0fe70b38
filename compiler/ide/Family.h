#pragma once

#include "ide/Outline.h"

#include <map>
#include <span>

namespace tikc::ide {

/// A contract in a file.
struct Site {
  const Outline* outline = nullptr;
  const Outline::Contract* contract = nullptr;

  explicit operator bool() const { return contract != nullptr; }
  auto operator<=>(const Site&) const = default;
};

struct NamedPlace {
  Site site;
  const sema::Mention* mention = nullptr;

  explicit operator bool() const { return mention != nullptr; }
  Span span() const { return mention->span; }
};

/// What `extends` makes of contracts. A name is the same thing in all contracts that inherit it
/// from one another, and in none else: two children of a parent that does not say it may each have
/// their own.
class Families {
public:
  explicit Families(std::span<const Outline* const> outlines);

  /// The name that a text says at an offset: there, or ending there.
  static NamedPlace at(const Outline& outline, std::uint32_t offset);

  Site parentOf(const Site& site) const;
  /// All contracts that a change of the name reaches: from the topmost that says it down. Children
  /// that do not say it inherit it.
  std::vector<Site> reach(const NamedPlace& name) const;
  /// Wherever the name is said.
  std::vector<NamedPlace> mentions(const NamedPlace& name) const;
  /// Where it is said what it is: of a use the nearest definition on the way up, and where none is,
  /// those of the children; of a definition, the one that it overrides.
  std::vector<NamedPlace> definitions(const NamedPlace& name) const;

private:
  std::vector<Site> sites_;
  std::map<Site, Site> parents_;
};

/// Whether two mentions say the same name, so far as their texts tell.
bool isSameName(const sema::Mention& a, const sema::Mention& b);

} // namespace tikc::ide
