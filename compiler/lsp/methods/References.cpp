#include "lsp/answers/Naming.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

Task onReferences(const std::shared_ptr<const AskedName>& asked, const json::Object& params) {
  if (!*asked)
    return answer(nullptr);
  const json::Object* context = params.getObject("context");
  bool withDefinitions = !context || context->getBoolean("includeDeclaration").value_or(true);
  std::vector<ide::NamedPlace> found = asked->families->mentions(asked->name);
  if (!withDefinitions)
    std::erase_if(found, [](const ide::NamedPlace& each) {
      return each.mention->role == sema::Mention::Role::Definition;
    });
  return answer(locations(*asked, found));
}

} // namespace tikc::lsp
