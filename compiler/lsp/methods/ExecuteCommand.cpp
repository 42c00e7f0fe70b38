#include "ide/Claims.h"
#include "ide/Since.h"
#include "lsp/answers/Actions.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"

#include <algorithm>

namespace tikc::lsp {
namespace {

/// What a command finds out, on a thread of the crew.
using Finding = std::function<llvm::Expected<ide::ToldText>()>;

llvm::Error refusal(llvm::Error why) {
  return failure(ErrorCode::RequestFailed, llvm::toString(std::move(why)));
}

/// The contract that the argument names: its text as it was checked, and where in it, if that is
/// said.
struct AskedText {
  std::shared_ptr<const Analysis> analysis;
  std::optional<std::uint32_t> offset;
};

llvm::Expected<AskedText> askedText(Session& session, const json::Object& argument) {
  AskedText out;
  if (argument.getObject("position")) {
    auto cursor = cursorOf(session, argument);
    if (!cursor)
      return cursor.takeError();
    out = {cursor->analysis, cursor->offset};
  }
  if (out.analysis)
    return out;
  const Document* document = session.documents.find(argument.getString("uri").value_or(""));
  if (!document || document->kind != Document::Kind::Contract)
    return failure(ErrorCode::InvalidParams, "no open contract has that URI");
  return AskedText{session.workspace.knownOf(*document), {}};
}

/// A claim by its name, or by a place in the text.
llvm::Expected<ide::AskedClaim> claimIn(const AskedText& text, const json::Object& argument) {
  auto claim = text.offset
                   ? ide::claimAt(*text.analysis, *text.offset)
                   : ide::claimNamed(*text.analysis, argument.getString("contract").value_or(""),
                                     argument.getString("claim").value_or(""));
  if (!claim)
    return refusal(claim.takeError());
  return claim;
}

template <ide::ToldText (*answer)(const ide::AskedClaim&, bool)>
llvm::Expected<Finding> ofClaim(Session& session, const json::Object& argument) {
  auto text = askedText(session, argument);
  if (!text)
    return text.takeError();
  auto claim = claimIn(*text, argument);
  if (!claim)
    return claim.takeError();
  bool asPage = argument.getString("format") == "html";
  return [held = text->analysis, claim = *claim, asPage] { return answer(claim, asPage); };
}

ide::ToldText solved(const ide::AskedClaim& claim, bool) { return ide::solved(claim); }

llvm::Expected<Finding> ofVersion(Session& session, const json::Object& argument) {
  auto text = askedText(session, argument);
  if (!text)
    return text.takeError();
  auto committed = committedOf(session, text->analysis->uri);
  if (!committed)
    return failure(ErrorCode::RequestFailed, "this file is not in the HEAD of a Git repository");
  std::string contract = text->offset ? ide::contractAt(*text->analysis, *text->offset)
                                      : argument.getString("contract").value_or("").str();
  return [is = text->analysis, committed, contract]() -> llvm::Expected<ide::ToldText> {
    auto report = ide::toldSince(*committed, *is, contract);
    if (!report)
      return report.takeError();
    return ide::ToldText{*report, *report};
  };
}

struct EditorCommand {
  llvm::StringRef name;
  llvm::Expected<Finding> (*begin)(Session&, const json::Object& argument);
};
constexpr EditorCommand commands[] = {{"tikc.diff", ofVersion},
                                      {"tikc.explain", ofClaim<ide::explained>},
                                      {"tikc.solve", ofClaim<solved>}};

/// The edit of an action for clients that cannot resolve one.
llvm::Expected<Task> beginTolerance(Session& session, const json::Object& data) {
  return laterEdit(session, data,
                   [](Session& then, json::Value edit) -> llvm::Expected<json::Value> {
                     then.ask("workspace/applyEdit", json::Object{{"edit", std::move(edit)}});
                     return nullptr;
                   });
}

llvm::Expected<Task> beginCommand(Session& session, const json::Object& params) {
  auto name = params.getString("command").value_or("");
  const json::Array* list = params.getArray("arguments");
  const json::Object* argument = list && list->size() == 1 ? list->front().getAsObject() : nullptr;
  if (name == setTolerance && argument)
    return beginTolerance(session, *argument);
  const EditorCommand* command =
      std::find_if(std::begin(commands), std::end(commands),
                   [&](const EditorCommand& each) { return each.name == name; });
  if (command == std::end(commands))
    return failure(ErrorCode::InvalidParams, "unknown command " + name.str());
  if (!argument)
    return failure(ErrorCode::InvalidParams,
                   "expected one argument, {uri, contract, claim} or {textDocument, position}");
  auto finding = command->begin(session, *argument);
  if (!finding)
    return finding.takeError();
  return byCrew(session, [find = std::move(*finding)]() -> Reply {
    auto match = std::make_shared<llvm::Expected<ide::ToldText>>(find());
    return [match](Session& then) -> llvm::Expected<json::Value> {
      if (!*match)
        return refusal(match->takeError());
      if (!then.client.showsResults)
        then.notify("window/showMessage", json::Object{{"type", 3}, {"message", (*match)->shown}});
      return json::Value((*match)->text);
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
