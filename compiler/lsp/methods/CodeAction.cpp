#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Params.h"

namespace tikc::lsp {
namespace {

bool touches(const Span& a, std::uint32_t begin, std::uint32_t end) {
  return a.begin <= end && begin <= a.end;
}

} // namespace

llvm::Expected<json::Value> onCodeAction(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  if (!*selection)
    return nullptr;
  const Analysis& analysis = *selection->analysis;
  Range range = selection->range;
  Convert convert(session, *analysis.sources);
  json::Array out;
  for (const diag::Diagnostic& found : analysis.checked.diagnostics)
    if (found.span.file == analysis.file && touches(found.span, range.begin, range.end))
      for (const diag::Fix& fix : found.fixes)
        out.push_back(json::Object{{"title", fix.title},
                                   {"kind", "quickfix"},
                                   {"diagnostics", json::Array{convert.diagnostic(found)}},
                                   {"isPreferred", fix.safe && &fix == &found.fixes.front()},
                                   {"edit", convert.workspaceEdit(fix.edits)}});
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
