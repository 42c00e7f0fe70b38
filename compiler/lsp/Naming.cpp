#include "lsp/Naming.h"

#include "lsp/Convert.h"
#include "lsp/Work.h"

#include <algorithm>

namespace tikc::lsp {

llvm::Expected<Asked> nameAt(Session& session, const json::Object& params) {
  auto cursor = cursorOf(session, params);
  if (!cursor)
    return cursor.takeError();
  Asked out{*cursor, {}, nullptr, {}};
  if (!*cursor)
    return out;
  out.outlines = session.outlines.all();
  std::vector<const Outline*> outlines;
  for (const auto& outline : out.outlines)
    outlines.push_back(outline.get());
  out.families = std::make_unique<Families>(outlines);
  auto own = std::find_if(outlines.begin(), outlines.end(), [&](const Outline* outline) {
    return outline->uri == cursor->document->uri;
  });
  if (own != outlines.end())
    out.name = Families::at(**own, cursor->offset);
  return out;
}

bool NamesKnown::operator()(Session& session) {
  if (!session.isDiscovered)
    return false;
  if (!gathering_)
    gathering_ = session.outlines.gather(session.crew);
  return gathering_->isDone();
}

Task onceNamesAreKnown(Session&, const json::Object& params, Handler handle) {
  auto areKnown = std::make_shared<NamesKnown>();
  return [=](Session& session) -> std::optional<llvm::Expected<json::Value>> {
    if (!(*areKnown)(session))
      return std::nullopt;
    return handle(session, params);
  };
}

json::Array locations(const Session& session, std::span<const NamedPlace> places) {
  json::Array out;
  std::map<const Outline*, Convert> converts;
  for (const NamedPlace& place : places) {
    const Outline* outline = place.site.outline;
    auto [convert, fresh] = converts.try_emplace(outline, session, *outline->sources);
    out.push_back(
        json::Object{{"uri", outline->uri}, {"range", convert->second.range(place.span())}});
  }
  return out;
}

std::string_view whatIs(sema::NameSpace space) {
  switch (space) {
  case sema::NameSpace::Contract:
    return "a contract";
  case sema::NameSpace::Kernel:
    return "a kernel";
  case sema::NameSpace::Slice:
    return "a slice";
  case sema::NameSpace::Label:
    return "a label";
  case sema::NameSpace::LabelValue:
    return "a label's value";
  case sema::NameSpace::Statement:
    return "a clause, a claim or a rule";
  }
  return {};
}

} // namespace tikc::lsp
