#include "ide/Links.h"

#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onDocumentLink(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return nullptr;
  Convert convert(session, *target->analysis->sources);
  json::Array out;
  for (const ide::DocumentLink& link : ide::linksIn(*target->analysis, target->document->path))
    out.push_back(json::Object{{"range", convert.range(link.span)},
                               {"target", link.file.empty() ? link.page : uriOf(link.file)},
                               {"tooltip", std::string(link.tip)}});
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
