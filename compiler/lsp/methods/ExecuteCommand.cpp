#include "ide/Claims.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

/// What there is no claim for, the client is told.
llvm::Expected<ide::AskedClaim> told(llvm::Expected<ide::AskedClaim> asked) {
  if (!asked)
    return failure(ErrorCode::RequestFailed, llvm::toString(asked.takeError()));
  return asked;
}

/// A claim by its name, or by a place in the text, of the analysis that is held.
llvm::Expected<ide::AskedClaim> askedIn(Session& session, const json::Object& argument,
                                        std::shared_ptr<const Analysis>& held) {
  if (argument.getObject("position")) {
    auto cursor = cursorOf(session, argument);
    if (!cursor)
      return cursor.takeError();
    held = cursor->analysis;
    if (held)
      return told(ide::claimAt(*held, cursor->offset));
  }
  std::string uri = argument.getString("uri").value_or("").str();
  std::string contract = argument.getString("contract").value_or("").str();
  std::string claim = argument.getString("claim").value_or("").str();
  const Document* document = session.documents.find(uri);
  if (!document || document->kind != Document::Kind::Contract)
    return failure(ErrorCode::InvalidParams, "no contract of that uri is open");
  held = session.workspace.knownOf(*document);
  return told(ide::claimNamed(*held, contract, claim));
}

struct EditorCommand {
  llvm::StringRef name;
  ide::ClaimText (*answer)(const ide::AskedClaim&, bool asPage);
};
constexpr EditorCommand commands[] = {
    {"tikc.explain", ide::explained},
    {"tikc.solve", [](const ide::AskedClaim& asked, bool) { return ide::solved(asked); }}};

llvm::Expected<Task> beginCommand(Session& session, const json::Object& params) {
  auto name = params.getString("command").value_or("");
  const EditorCommand* command =
      std::find_if(std::begin(commands), std::end(commands),
                   [&](const EditorCommand& each) { return each.name == name; });
  if (command == std::end(commands))
    return failure(ErrorCode::InvalidParams, name.str() + " is no command of tikc");
  const json::Array* list = params.getArray("arguments");
  const json::Object* argument = list && list->size() == 1 ? list->front().getAsObject() : nullptr;
  if (!argument)
    return failure(ErrorCode::InvalidParams,
                   "the one argument is {uri, contract, claim} or {textDocument, position}");
  std::shared_ptr<const Analysis> held;
  auto asked = askedIn(session, *argument, held);
  if (!asked)
    return asked.takeError();
  bool asPage = argument->getString("format") == "html";
  return byCrew(session, [held, command, asked = *asked, asPage]() -> Reply {
    return [found = command->answer(asked, asPage)](Session& then) -> llvm::Expected<json::Value> {
      if (!then.client.showsResults)
        then.notify("window/showMessage", json::Object{{"type", 3}, {"message", found.shown}});
      return json::Value(found.text);
    };
  });
}

} // namespace

/// The text is the result: a page in HTML where `format` asks for one and there is one. Clients
/// that know nothing of the command throw results away, so the text is shown as well, unless the
/// client says that it does so itself.
Task onExecuteCommand(Session&, const json::Object& params) {
  return onceChecked(params, beginCommand);
}

} // namespace tikc::lsp
