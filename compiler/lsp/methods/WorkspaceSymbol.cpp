#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Naming.h"
#include "lsp/SymbolKinds.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <tuple>

namespace tikc::lsp {
namespace {

// Who wants more than these types another letter.
constexpr std::size_t mostSymbols = 256;

/// How far apart the letters of the query stand in the name: the less, the nearer is what was
/// meant. Nothing where they do not occur in this order.
std::optional<std::size_t> distance(llvm::StringRef query, llvm::StringRef name) {
  std::size_t at = 0, out = 0;
  for (char letter : query) {
    std::size_t found = at;
    while (found < name.size() && llvm::toLower(name[found]) != llvm::toLower(letter))
      ++found;
    if (found == name.size())
      return std::nullopt;
    out += found - at;
    at = found + 1;
  }
  return out;
}

struct Match {
  std::size_t distance;
  ide::NamedPlace place;
};

bool isListed(const sema::Mention& mention) {
  return mention.role == sema::Mention::Role::Definition &&
         mention.space != sema::NameSpace::LabelValue;
}

/// The nearest, and how many there are in all.
std::pair<std::vector<Match>, std::size_t>
matches(std::span<const std::shared_ptr<const Outline>> outlines, llvm::StringRef query) {
  std::vector<Match> out;
  for (const auto& outline : outlines)
    for (const Outline::Contract& contract : outline->contracts)
      for (const sema::Mention& mention : contract.mentions)
        if (isListed(mention))
          if (auto far = distance(query, mention.name))
            out.push_back({*far, {{outline.get(), &contract}, &mention}});
  auto rank = [](const Match& match) {
    const ide::NamedPlace& place = match.place;
    return std::tie(match.distance, place.mention->name, place.site.outline->id,
                    place.mention->span.begin);
  };
  std::size_t all = out.size(), kept = std::min(all, mostSymbols);
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(kept), out.end(),
                    [&](const Match& a, const Match& b) { return rank(a) < rank(b); });
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end());
  return {std::move(out), all};
}

} // namespace

Task onWorkspaceSymbol(const std::shared_ptr<const Asked>& asked, const json::Object& params) {
  std::map<const Outline*, Places> converts;
  json::Array out;
  auto [found, count] = matches(asked->outlines, params.getString("query").value_or(""));
  for (const Match& match : found) {
    const Outline* outline = match.place.site.outline;
    const sema::Mention& mention = *match.place.mention;
    auto [convert, fresh] = converts.try_emplace(outline, *outline->sources, asked->encoding);
    out.push_back(
        json::Object{{"name", mention.name},
                     {"kind", static_cast<int>(symbolKindOf(mention))},
                     {"containerName", mention.space == sema::NameSpace::Contract
                                           ? outline->path.filename().string()
                                           : match.place.site.contract->name},
                     {"location", json::Object{{"uri", outline->id},
                                               {"range", convert->second.range(mention.span)}}}});
  }
  if (count == found.size())
    return answer(std::move(out));
  std::string note = fmt::format("{} of {} names that match are shown; another letter narrows them",
                                 found.size(), count);
  return [note, out = std::move(out)](
             Session& session) mutable -> std::optional<llvm::Expected<json::Value>> {
    session.notify("window/logMessage", json::Object{{"type", 3}, {"message", note}});
    return json::Value(std::move(out));
  };
}

} // namespace tikc::lsp
