#include "ide/Claims.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {
namespace {

/// What there is no claim for, the client is told.
llvm::Expected<ide::AskedClaim> told(llvm::Expected<ide::AskedClaim> asked) {
  if (!asked)
    return failure(ErrorCode::RequestFailed, llvm::toString(asked.takeError()));
  return asked;
}

/// A claim by its name, or by a place in the text.
llvm::Expected<ide::AskedClaim> askedIn(Session& session, const json::Object& argument) {
  if (argument.getObject("position")) {
    auto cursor = cursorOf(session, argument);
    if (!cursor)
      return cursor.takeError();
    if (*cursor)
      return told(ide::claimAt(*cursor->analysis, cursor->offset));
  }
  std::string uri = argument.getString("uri").value_or("").str();
  std::string contract = argument.getString("contract").value_or("").str();
  std::string claim = argument.getString("claim").value_or("").str();
  const Document* document = session.documents.find(uri);
  if (!document || document->kind != Document::Kind::Contract)
    return failure(ErrorCode::InvalidParams, "no contract of that uri is open");
  const Analysis& analysis = session.workspace.analysisOf(*document);
  return told(ide::claimNamed(analysis, contract, claim));
}

struct Command {
  llvm::StringRef name;
  ide::ClaimText (*answer)(const ide::AskedClaim&, bool asPage);
};
constexpr Command commands[] = {
    {"tikc.explain", ide::explained},
    {"tikc.solve", [](const ide::AskedClaim& asked, bool) { return ide::solved(asked); }}};

} // namespace

/// The text is the result: a page in HTML where `format` asks for one and there is one. Clients
/// that know nothing of the command throw results away, so the text is shown as well, unless the
/// client says that it does so itself.
llvm::Expected<json::Value> onExecuteCommand(Session& session, const json::Object& params) {
  auto name = params.getString("command").value_or("");
  for (const Command& command : commands)
    if (command.name == name) {
      const json::Array* list = params.getArray("arguments");
      const json::Object* argument =
          list && list->size() == 1 ? list->front().getAsObject() : nullptr;
      if (!argument)
        return failure(ErrorCode::InvalidParams,
                       "the one argument is {uri, contract, claim} or {textDocument, position}");
      auto asked = askedIn(session, *argument);
      if (!asked)
        return asked.takeError();
      ide::ClaimText answer = command.answer(*asked, argument->getString("format") == "html");
      if (!session.client.showsResults)
        session.notify("window/showMessage", json::Object{{"type", 3}, {"message", answer.shown}});
      return json::Value(std::move(answer.text));
    }
  return failure(ErrorCode::InvalidParams, name.str() + " is no command of tikc");
}

} // namespace tikc::lsp
