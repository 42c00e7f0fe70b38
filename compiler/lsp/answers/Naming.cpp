#include "lsp/answers/Naming.h"

#include "lsp/answers/Convert.h"
#include "lsp/session/Work.h"

#include <algorithm>

namespace tikc::lsp {

namespace {

/// A request in progress. Dropping it stops the crew.
struct Looking {
  json::Object params;
  PendingDocument document;
  std::shared_ptr<Outlines::Gathering> gathering;
  std::optional<Sent<Task>> task;
  std::uint64_t revision = 0; // of the documents, as they were asked

  explicit Looking(const json::Object& object) : params(object), document(object) {}
};

/// What the request is about, but for its name, which takes long; null where it is about nothing.
llvm::Expected<std::shared_ptr<AskedName>> askedBy(Session& session, const json::Object& params,
                                                   std::string& uri) {
  auto out = std::make_shared<AskedName>();
  out->encoding = session.documents.encoding();
  if (params.get("textDocument")) {
    auto cursor = cursorOf(session, params);
    if (!cursor)
      return cursor.takeError();
    if (!*cursor)
      return nullptr;
    uri = cursor->document->uri;
    out->offset = cursor->offset;
  }
  out->outlines = session.outlines.all();
  return out;
}

void findName(AskedName& name, const std::string& uri) {
  std::sort(name.outlines.begin(), name.outlines.end(),
            [](const auto& a, const auto& b) { return a->id < b->id; });
  std::vector<const Outline*> outlines;
  outlines.reserve(name.outlines.size());
  for (const auto& outline : name.outlines)
    outlines.push_back(outline.get());
  name.families = std::make_unique<ide::Families>(outlines);
  auto own = std::find_if(outlines.begin(), outlines.end(),
                          [&](const Outline* outline) { return outline->id == uri; });
  if (own != outlines.end())
    name.name = ide::Families::at(**own, name.offset);
}

/// False where the request is about nothing.
llvm::Expected<bool> lookUp(Session& session, const std::shared_ptr<Looking>& state,
                            NamesHandler handle) {
  std::string uri;
  auto name = askedBy(session, state->params, uri);
  if (!name)
    return name.takeError();
  if (!*name)
    return false;
  state->revision = session.documents.revision();
  state->task.emplace(session, [about = *name, uri, handle, params = state->params] {
    findName(*about, uri);
    return handle(about, params);
  });
  return true;
}

llvm::Error internalFault() {
  return failure(ErrorCode::InternalError, "some contracts could not be read for their names");
}

} // namespace

Task onceNamesAreKnown(const json::Object& params, NamesHandler handle) {
  auto state = std::make_shared<Looking>(params);
  return [state, handle](Session& session) -> std::optional<llvm::Expected<json::Value>> {
    if (state->document.hasChanged(session))
      return textHasChanged();
    if (!session.isDiscovered || !state->document.isKnown(session))
      return std::nullopt;
    if (!state->gathering)
      state->gathering = session.outlines.gather(session.crew);
    if (!state->gathering->isDone())
      return std::nullopt;
    if (state->gathering->hasFailed())
      return internalFault();
    if (!state->task) {
      auto isSent = lookUp(session, state, handle);
      if (!isSent)
        return isSent.takeError();
      if (!*isSent)
        return nullptr;
    }
    if (state->revision != session.documents.revision())
      return textHasChanged();
    if (!state->task->isThere())
      return std::nullopt;
    return state->task->value()(session);
  };
}

Task refuse(std::string why, ErrorCode code) {
  return [why = std::move(why), code](Session&) -> std::optional<llvm::Expected<json::Value>> {
    return failure(code, why);
  };
}

json::Array locations(const AskedName& name, std::span<const ide::NamedPlace> places) {
  json::Array out;
  std::map<const Outline*, Places> converts;
  for (const ide::NamedPlace& place : places) {
    const Outline* outline = place.site.outline;
    auto [convert, fresh] = converts.try_emplace(outline, *outline->sources, name.encoding);
    out.push_back(
        json::Object{{"uri", outline->id}, {"range", convert->second.range(place.span())}});
  }
  return out;
}

} // namespace tikc::lsp
