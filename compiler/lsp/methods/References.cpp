#include "lsp/Methods.h"
#include "lsp/Naming.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onReferences(Session& session, const json::Object& params) {
  auto asked = nameAt(session, params);
  if (!asked)
    return asked.takeError();
  if (!*asked)
    return nullptr;
  const json::Object* context = params.getObject("context");
  bool withDefinitions = !context || context->getBoolean("includeDeclaration").value_or(true);
  std::vector<NamedPlace> found = asked->families->mentions(asked->name);
  if (!withDefinitions)
    std::erase_if(found, [](const NamedPlace& each) {
      return each.mention->role == sema::Mention::Role::Definition;
    });
  return json::Value(locations(session, found));
}

} // namespace tikc::lsp
