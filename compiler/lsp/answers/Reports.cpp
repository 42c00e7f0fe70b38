#include "lsp/answers/Reports.h"

#include "lsp/wire/JsonText.h"

#include <llvm/Support/xxhash.h>

#include <fmt/format.h>

namespace tikc::lsp {

namespace json = llvm::json;

json::Object report(std::span<const json::Value* const> findings, llvm::StringRef previous) {
  std::string text;
  for (const json::Value* each : findings)
    append(text, *each);
  std::string id = fmt::format("{:016x}", llvm::xxh3_64bits(text));
  if (id == previous)
    return json::Object{{"kind", "unchanged"}, {"resultId", std::move(id)}};
  json::Array items;
  items.reserve(findings.size());
  for (const json::Value* each : findings)
    items.push_back(*each);
  return json::Object{{"kind", "full"}, {"resultId", std::move(id)}, {"items", std::move(items)}};
}

} // namespace tikc::lsp
