#include "ide/Family.h"

#include <algorithm>
#include <unordered_map>

namespace tikc::ide {

using sema::Mention;
using sema::NameSpace;
using Role = Mention::Role;

namespace {

bool isContract(const NamedPlace& name) { return name.mention->space == NameSpace::Contract; }

void gather(const Site& site, const Mention& like, std::vector<NamedPlace>& out) {
  for (const Mention& mention : site.contract->mentions)
    if (isSameName(mention, like))
      out.push_back({site, &mention});
}

bool says(const Site& site, const Mention& like) {
  return std::any_of(site.contract->mentions.begin(), site.contract->mentions.end(),
                     [&](const Mention& mention) { return isSameName(mention, like); });
}

std::vector<NamedPlace> definitionsIn(const Site& site, const Mention& like) {
  std::vector<NamedPlace> out;
  gather(site, like, out);
  std::erase_if(out, [](const NamedPlace& each) { return each.mention->role != Role::Definition; });
  return out;
}

} // namespace

bool isSameName(const Mention& a, const Mention& b) {
  return a.space == b.space && a.name == b.name &&
         (a.space != NameSpace::LabelValue || a.of == b.of);
}

Families::Families(std::span<const Outline* const> outlines) {
  std::unordered_map<std::string_view, const Outline*> byPath;
  for (const Outline* outline : outlines) {
    if (!outline->path.empty())
      byPath.emplace(outline->path.native(), outline);
    for (const Outline::Contract& contract : outline->contracts)
      sites_.push_back({outline, &contract});
  }
  for (const Site& site : sites_) {
    const auto& parent = site.contract->parent;
    if (!parent)
      continue;
    const Outline* outline = site.outline;
    if (parent->file != outline->path) {
      auto definitions = byPath.find(parent->file.native());
      if (definitions == byPath.end())
        continue;
      outline = definitions->second;
    }
    for (const Outline::Contract& each : outline->contracts)
      if (parent->contract ? each.name == *parent->contract : outline->contracts.size() == 1) {
        parents_[site] = {outline, &each};
        break;
      }
  }
}

NamedPlace Families::at(const Outline& outline, std::uint32_t offset) {
  NamedPlace out;
  for (const Outline::Contract& contract : outline.contracts)
    for (const Mention& mention : contract.mentions) {
      // The file's name and that of the contract in it are one reference.
      bool isParent = mention.space == NameSpace::Contract && mention.role == Role::Use;
      const Span& span = isParent ? mention.whole : mention.span;
      if (span.begin <= offset && offset < span.end)
        return {{&outline, &contract}, &mention};
      if (offset == span.end)
        out = {{&outline, &contract}, &mention};
    }
  return out;
}

Site Families::parentOf(const Site& site) const {
  auto definitions = parents_.find(site);
  return definitions == parents_.end() ? Site{} : definitions->second;
}

std::vector<Site> Families::reach(const NamedPlace& name) const {
  Site top = name.site;
  if (isContract(name)) {
    if (name.mention->role == Role::Use)
      top = parentOf(name.site);
  } else {
    std::set<Site> seen; // the text may extend itself
    for (Site up = top; up && seen.insert(up).second; up = parentOf(up))
      if (says(up, *name.mention))
        top = up;
  }
  std::vector<Site> out;
  for (const Site& site : sites_) {
    std::set<Site> seen;
    for (Site up = site; up && seen.insert(up).second; up = parentOf(up))
      if (up == top) {
        out.push_back(site);
        break;
      }
  }
  return out;
}

std::vector<NamedPlace> Families::mentions(const NamedPlace& name) const {
  std::vector<NamedPlace> out;
  if (!isContract(name)) {
    for (const Site& site : reach(name))
      gather(site, *name.mention, out);
    return out;
  }
  Site named = name.mention->role == Role::Use ? parentOf(name.site) : name.site;
  for (const Site& site : sites_)
    for (const Mention& mention : site.contract->mentions)
      if (mention.space == NameSpace::Contract && named &&
          (mention.role == Role::Use ? parentOf(site) : site) == named)
        out.push_back({site, &mention});
  return out;
}

std::vector<NamedPlace> Families::definitions(const NamedPlace& name) const {
  if (isContract(name)) {
    Site named = name.mention->role == Role::Use ? parentOf(name.site) : name.site;
    if (!named)
      return {};
    for (const Mention& mention : named.contract->mentions)
      if (mention.space == NameSpace::Contract && mention.role == Role::Definition)
        return {{named, &mention}};
    return {};
  }
  bool isOwn = name.mention->role == Role::Definition;
  std::set<Site> seen;
  for (Site up = isOwn ? parentOf(name.site) : name.site; up && seen.insert(up).second;
       up = parentOf(up))
    if (auto found = definitionsIn(up, *name.mention); !found.empty())
      return found;
  if (isOwn)
    return {name};
  std::vector<NamedPlace> below;
  for (const Site& site : reach(name))
    for (NamedPlace& place : definitionsIn(site, *name.mention))
      below.push_back(place);
  return below;
}

} // namespace tikc::ide
