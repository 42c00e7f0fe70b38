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

/// Contracts related by `extends`. A name means the same in all contracts that inherit it from each
/// other. If their parent does not have it, two children may each have their own.
class Families {
public:
  explicit Families(std::span<const Outline* const> outlines);

  /// Returns the name that contains the offset or ends there.
  static NamedPlace at(const Outline& outline, std::uint32_t offset);

  Site parentOf(const Site& site) const;
  /// Returns all contracts that a change of the name reaches: from the topmost that mentions it
  /// downwards, including children that only inherit it.
  std::vector<Site> reach(const NamedPlace& name) const;
  /// Returns all mentions of the name.
  std::vector<NamedPlace> mentions(const NamedPlace& name) const;
  /// Returns the definitions of the name. For a use, that is the nearest one in the parents,
  /// otherwise those in children; for a definition, the one that it overrides.
  std::vector<NamedPlace> definitions(const NamedPlace& name) const;

private:
  std::vector<Site> sites_;
  std::map<Site, Site> parents_;
};

/// Whether two mentions are of one name, judged by their texts.
bool isSameName(const sema::Mention& a, const sema::Mention& b);

} // namespace tikc::ide
