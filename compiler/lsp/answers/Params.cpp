#include "lsp/answers/Params.h"

#include "support/Check.h"

namespace tikc::lsp {

std::string uriIn(const json::Object& params) {
  const json::Object* identifier = params.getObject("textDocument");
  return identifier ? identifier->getString("uri").value_or("").str() : std::string();
}

llvm::Expected<Target> anyTargetOf(Session& session, const json::Object& params) {
  const Document* document = session.documents.find(uriIn(params));
  if (!document)
    return failure(ErrorCode::InvalidParams, "no open document has that URI");
  if (!document->isChecked() || session.workspace.isTooLarge(*document))
    return Target{document, nullptr};
  auto analysis = session.workspace.knownOf(*document);
  TIKC_CHECK(analysis, "a request is handled once its document was checked");
  return Target{document, std::move(analysis)};
}

llvm::Expected<Target> targetOf(Session& session, const json::Object& params) {
  auto target = anyTargetOf(session, params);
  if (target && target->document->kind != Document::Kind::Contract)
    target->analysis = nullptr;
  return target;
}

namespace {

llvm::Expected<Cursor> cursorIn(llvm::Expected<Target> target, Session& session,
                                const json::Object& params) {
  if (!target)
    return target.takeError();
  auto place = placeIn(params.getObject("position"));
  if (!place)
    return failure(ErrorCode::InvalidParams, "invalid position: expected a line and a character");
  const std::string& text = target->document->text;
  return Cursor{*target, Lines(text).offsetOf(text, *place, session.documents.encoding())};
}

} // namespace

llvm::Expected<Cursor> cursorOf(Session& session, const json::Object& params) {
  return cursorIn(targetOf(session, params), session, params);
}

llvm::Expected<Cursor> anyCursorOf(Session& session, const json::Object& params) {
  return cursorIn(anyTargetOf(session, params), session, params);
}

llvm::Expected<Selection> selectionOf(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  auto range =
      rangeIn(target->document->text, params.getObject("range"), session.documents.encoding());
  if (!range)
    return failure(ErrorCode::InvalidParams,
                   "invalid range: expected a start, and an end not before it");
  return Selection{*target, *range};
}

} // namespace tikc::lsp
