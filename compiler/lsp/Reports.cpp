#include "lsp/Reports.h"

#include <llvm/Support/xxhash.h>

#include <fmt/format.h>

namespace tikc::lsp {

namespace json = llvm::json;

json::Object report(json::Array findings, llvm::StringRef previous) {
  json::Value items(std::move(findings));
  std::string text;
  llvm::raw_string_ostream(text) << items;
  std::string id = fmt::format("{:016x}", llvm::xxh3_64bits(text));
  if (id == previous)
    return json::Object{{"kind", "unchanged"}, {"resultId", std::move(id)}};
  return json::Object{{"kind", "full"}, {"resultId", std::move(id)}, {"items", std::move(items)}};
}

} // namespace tikc::lsp
