#include "lsp/session/Configure.h"

#include "lsp/session/Work.h"

namespace tikc::lsp {

void configure(Session& session, const json::Value* settings) {
  const json::Object* object = settings ? settings->getAsObject() : nullptr;
  Configuration next;
  if (object) {
    next.root = object->getString("root").value_or("").str();
    next.hints = object->getBoolean("inlayHints").value_or(next.hints);
    next.lenses = object->getBoolean("codeLenses").value_or(next.lenses);
  }
  Configuration before = std::exchange(session.configuration, next);
  if (before.root != next.root) {
    session.workspace.setExtendsRoot(next.root);
    touchAll(session);
  }
  if (!before.lenses && next.lenses)
    askHeadOfAll(session);
  session.needsRefresh |= before.hints != next.hints || before.lenses != next.lenses;
}

void askConfiguration(Session& session) {
  session.ask("workspace/configuration",
              json::Object{{"items", json::Array{json::Object{{"section", "tikc"}}}}},
              [&session](const Message& answer) {
                const json::Array* items = answer.result.getAsArray();
                if (items && !items->empty())
                  configure(session, &items->front());
              });
}

} // namespace tikc::lsp
