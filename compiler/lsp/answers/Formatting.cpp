#include "lsp/answers/Formatting.h"

#include "lsp/answers/Convert.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {

Task formatted(Session& session, const Document& document, TextRange range) {
  return byCrew(session, [snapshot = session.workspace.snapshotOf(document), range]() -> Reply {
    auto result = std::make_shared<const Snapshot::FormattingResult>(snapshot->format(range));
    return [result](Session& then) -> llvm::Expected<json::Value> {
      if (!result->edits)
        return nullptr;
      Convert convert(then, *result->sources);
      json::Array out;
      for (const Edit& edit : *result->edits)
        out.push_back(convert.textEdit(edit));
      return json::Value(std::move(out));
    };
  });
}

} // namespace tikc::lsp
