#include "lsp/documents/Findings.h"

#include <algorithm>

namespace tikc::lsp {

namespace json = llvm::json;

namespace {

/// What pipeline::mergeFindings takes for the same: notes may tell what one contract knows and
/// another does not.
bool isSame(const json::Value& a, const json::Value& b) {
  const json::Object &one = *a.getAsObject(), &other = *b.getAsObject();
  auto title = [](const json::Object& object) {
    return object.getString("message")->split('\n').first;
  };
  return *one.get("range") == *other.get("range") && *one.get("code") == *other.get("code") &&
         title(one) == title(other);
}

} // namespace

std::set<std::string> Findings::put(const std::string& owner, ByUri findings,
                                    std::vector<std::filesystem::path> restsOn) {
  std::set<std::string> uris;
  auto known = entries_.find(owner);
  static const ByUri none;
  const ByUri& before = known == entries_.end() ? none : known->second.findings;
  for (const ByUri* side : {&before, static_cast<const ByUri*>(&findings)})
    for (const auto& [uri, list] : *side)
      uris.insert(uri);
  // Nothing was said of a text without findings.
  static const std::vector<json::Value> clean;
  auto in = [&](const ByUri& side, const std::string& uri) -> const std::vector<json::Value>& {
    auto list = side.find(uri);
    return list == side.end() ? clean : list->second;
  };
  std::erase_if(uris, [&](const std::string& uri) { return in(before, uri) == in(findings, uri); });
  forget(owner);
  if (findings.empty() && restsOn.empty())
    return uris;
  for (const auto& [uri, list] : findings)
    owners_[uri].insert(owner);
  for (const std::filesystem::path& path : restsOn)
    resting_[path].insert(owner);
  entries_[owner] = {std::move(findings), std::move(restsOn)};
  return uris;
}

void Findings::forget(const std::string& owner) {
  auto entry = entries_.find(owner);
  if (entry == entries_.end())
    return;
  auto drop = [&](auto& index, const auto& key) {
    auto at = index.find(key);
    at->second.erase(owner);
    if (at->second.empty())
      index.erase(at);
  };
  for (const auto& [uri, list] : entry->second.findings)
    drop(owners_, uri);
  for (const std::filesystem::path& path : entry->second.restsOn)
    drop(resting_, path);
  entries_.erase(entry);
}

const std::vector<json::Value>* Findings::listOf(const std::string& owner,
                                                 const std::string& uri) const {
  auto entry = entries_.find(owner);
  if (entry == entries_.end())
    return nullptr;
  auto list = entry->second.findings.find(uri);
  return list == entry->second.findings.end() ? nullptr : &list->second;
}

std::vector<const json::Value*> Findings::of(const std::string& uri) const {
  std::vector<const json::Value*> out;
  if (const auto* list = listOf(uri, uri))
    for (const json::Value& each : *list)
      out.push_back(&each);
  auto owners = owners_.find(uri);
  if (owners == owners_.end())
    return out;
  for (const std::string& owner : owners->second)
    if (const auto* list = owner == uri ? nullptr : listOf(owner, uri))
      for (const json::Value& each : *list)
        if (std::none_of(out.begin(), out.end(),
                         [&](const json::Value* known) { return isSame(*known, each); }))
          out.push_back(&each);
  return out;
}

std::set<std::string> Findings::uris() const {
  std::set<std::string> out;
  for (const auto& [uri, owners] : owners_)
    out.insert(uri);
  return out;
}

std::vector<std::string> Findings::restingOn(const std::filesystem::path& path) const {
  auto resting = resting_.find(path);
  return resting == resting_.end()
             ? std::vector<std::string>()
             : std::vector<std::string>(resting->second.begin(), resting->second.end());
}

} // namespace tikc::lsp
