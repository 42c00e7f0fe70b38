#include "lsp/Findings.h"

#include <algorithm>

namespace tikc::lsp {

namespace json = llvm::json;

namespace {

/// What pipeline::mergeFindings takes for the same: notes may tell what one contract knows and
/// another does not.
bool isSame(const json::Value& a, const json::Value& b) {
  const json::Object &one = *a.getAsObject(), &other = *b.getAsObject();
  auto title = [](const json::Object& of) { return of.getString("message")->split('\n').first; };
  return *one.get("range") == *other.get("range") && *one.get("code") == *other.get("code") &&
         title(one) == title(other);
}

} // namespace

std::set<std::string> Findings::put(const std::string& owner, ByUri found,
                                    std::vector<std::filesystem::path> restsOn) {
  std::set<std::string> uris;
  auto known = entries_.find(owner);
  static const ByUri none;
  const ByUri& before = known == entries_.end() ? none : known->second.found;
  for (const ByUri* side : {&before, static_cast<const ByUri*>(&found)})
    for (const auto& [uri, list] : *side)
      uris.insert(uri);
  // Nothing was said of a text without findings.
  static const std::vector<json::Value> clean;
  auto in = [&](const ByUri& side, const std::string& uri) -> const std::vector<json::Value>& {
    auto list = side.find(uri);
    return list == side.end() ? clean : list->second;
  };
  std::erase_if(uris, [&](const std::string& uri) { return in(before, uri) == in(found, uri); });
  if (found.empty() && restsOn.empty())
    entries_.erase(owner);
  else
    entries_[owner] = {std::move(found), std::move(restsOn)};
  return uris;
}

std::vector<const json::Value*> Findings::of(const std::string& uri) const {
  std::vector<const json::Value*> out;
  auto listIn = [&](const Entry& entry) -> const std::vector<json::Value>* {
    auto list = entry.found.find(uri);
    return list == entry.found.end() ? nullptr : &list->second;
  };
  auto own = entries_.find(uri);
  if (const auto* list = own == entries_.end() ? nullptr : listIn(own->second))
    for (const json::Value& each : *list)
      out.push_back(&each);
  for (const auto& [owner, entry] : entries_)
    if (const auto* list = owner == uri ? nullptr : listIn(entry))
      for (const json::Value& each : *list)
        if (std::none_of(out.begin(), out.end(),
                         [&](const json::Value* known) { return isSame(*known, each); }))
          out.push_back(&each);
  return out;
}

std::set<std::string> Findings::uris() const {
  std::set<std::string> out;
  for (const auto& [owner, entry] : entries_)
    for (const auto& [uri, list] : entry.found)
      out.insert(uri);
  return out;
}

std::vector<std::string> Findings::restingOn(const std::filesystem::path& path) const {
  std::vector<std::string> out;
  for (const auto& [owner, entry] : entries_)
    if (std::find(entry.restsOn.begin(), entry.restsOn.end(), path) != entry.restsOn.end())
      out.push_back(owner);
  return out;
}

} // namespace tikc::lsp
