#include "ide/Selections.h"

#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {
namespace {

json::Value chainOf(Convert& convert, std::span<const Span> spans) {
  json::Object out{{"range", convert.range(spans.front())}};
  for (const Span& span : spans.subspan(1))
    out = json::Object{{"range", convert.range(span)}, {"parent", std::move(out)}};
  return out;
}

} // namespace

llvm::Expected<json::Value> onSelectionRange(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return nullptr;
  const json::Array* positions = params.getArray("positions");
  if (!positions)
    return failure(ErrorCode::InvalidParams, "missing positions");
  Convert convert(session, *target->analysis->sources);
  Lines lines(target->document->text);
  json::Array out;
  for (const json::Value& position : *positions) {
    auto place = placeIn(position.getAsObject());
    if (!place)
      return failure(ErrorCode::InvalidParams, "invalid position: expected a line and a character");
    std::uint32_t offset =
        lines.offsetOf(target->document->text, *place, session.documents.encoding());
    out.push_back(chainOf(convert, ide::selectionsAt(*target->analysis, offset)));
  }
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
