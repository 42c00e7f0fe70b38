#include "lsp/answers/SemanticTokens.h"
#include "lsp/methods/Methods.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

/// The numbers between what both have first and what both have last.
json::Array difference(const std::vector<std::uint32_t>& before,
                       const std::vector<std::uint32_t>& after) {
  auto [oldBegin, newBegin] =
      std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  if (oldBegin == before.end() && newBegin == after.end())
    return {};
  auto oldEnd = before.end(), newEnd = after.end();
  while (oldEnd != oldBegin && newEnd != newBegin && *std::prev(oldEnd) == *std::prev(newEnd))
    --oldEnd, --newEnd;
  return json::Array{json::Object{{"start", oldBegin - before.begin()},
                                  {"deleteCount", oldEnd - oldBegin},
                                  {"data", numbers({newBegin, newEnd})}}};
}

} // namespace

llvm::Expected<json::Value> onSemanticTokensDelta(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return nullptr;
  Session::Tokens before = session.tokens[target->document->uri];
  const Session::Tokens& now = freshTokens(session, *target);
  if (before.id.empty() || params.getString("previousResultId") != llvm::StringRef(before.id))
    return json::Object{{"resultId", now.id}, {"data", numbers(now.numbers)}};
  return json::Object{{"resultId", now.id}, {"edits", difference(before.numbers, now.numbers)}};
}

} // namespace tikc::lsp
