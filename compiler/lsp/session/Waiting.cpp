#include "lsp/session/Waiting.h"

#include "lsp/session/Work.h"

namespace tikc::lsp {

namespace {

using TaskAnswer = std::optional<llvm::Expected<json::Value>>;

std::optional<std::string> uriSaidIn(const json::Object& object) {
  auto uri = object.getString("uri");
  return uri ? std::optional(uri->str()) : std::nullopt;
}

/// Requests name their document in one of these ways, if they are about one.
std::optional<std::string> uriAskedOf(const json::Object& params) {
  if (const json::Object* document = params.getObject("textDocument"))
    return uriSaidIn(*document);
  if (const json::Object* data = params.getObject("data"))
    return uriAskedOf(*data);
  if (const json::Array* arguments = params.getArray("arguments"))
    if (const json::Object* only =
            arguments->size() == 1 ? arguments->front().getAsObject() : nullptr)
      return uriAskedOf(*only);
  return uriSaidIn(params);
}

} // namespace

llvm::Error textHasChanged() { return failure(ErrorCode::ContentModified, "the text has changed"); }

PendingDocument::PendingDocument(const json::Object& params) : uri_(uriAskedOf(params)) {}

const Document* PendingDocument::document(const Session& session) const {
  return uri_ ? session.documents.find(*uri_) : nullptr;
}

bool PendingDocument::hasChanged(const Session& session) const {
  const Document* document = this->document(session);
  return version_ && (!document || *version_ != document->version);
}

bool PendingDocument::isKnown(Session& session) {
  const Document* document = this->document(session);
  if (!document || !document->isChecked())
    return true; // there is nothing to be found out
  if (!version_)
    version_ = document->version;
  if (session.workspace.knownOf(*document))
    return true;
  if (check_)
    check_->rethrow();
  if (!check_ || check_->isDone())
    check_ = checkOf(session, *document); // its parents have changed under it
  return false;
}

Task onceChecked(const json::Object& params, Handler handle) {
  return
      [params, handle, document = PendingDocument(params)](Session& session) mutable -> TaskAnswer {
        if (document.hasChanged(session))
          return textHasChanged();
        if (!document.isKnown(session))
          return std::nullopt;
        return handle(session, params);
      };
}

Task onceChecked(const json::Object& params, Beginning begin) {
  return [params, begin, document = PendingDocument(params),
          task = Task()](Session& session) mutable -> TaskAnswer {
    if (document.hasChanged(session))
      return textHasChanged();
    if (!task && !document.isKnown(session))
      return std::nullopt;
    if (!task) {
      auto begun = begin(session, params);
      if (!begun)
        return begun.takeError();
      task = std::move(*begun);
    }
    return task(session);
  };
}

Task byCrew(Session& session, std::function<Reply()> work) {
  return [sent = Sent<Reply>(session, std::move(work))](Session& then) -> TaskAnswer {
    if (!sent.isThere())
      return std::nullopt;
    return sent.value()(then);
  };
}

Task answer(json::Value value) {
  return [value = std::move(value)](Session&) mutable -> TaskAnswer { return std::move(value); };
}

} // namespace tikc::lsp
