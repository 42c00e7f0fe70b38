#include "lsp/answers/Formatting.h"

#include "lsp/answers/Convert.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {

Task formatted(Session& session, const Document& document, TextRange range) {
  return byCrew(session, [snapshot = session.workspace.snapshotOf(document), range]() -> Reply {
    auto found = std::make_shared<const Snapshot::Formatted>(snapshot->format(range));
    return [found](Session& then) -> llvm::Expected<json::Value> {
      if (!found->edits)
        return nullptr;
      Convert convert(then, *found->sources);
      json::Array out;
      for (const Edit& edit : *found->edits)
        out.push_back(convert.textEdit(edit));
      return json::Value(std::move(out));
    };
  });
}

} // namespace tikc::lsp
