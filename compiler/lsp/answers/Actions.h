#pragma once

#include "ide/actions/Actions.h"
#include "lsp/answers/Convert.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {

/// Returns an action in the protocol's form, without its edit.
json::Object actionOf(const ide::CodeAction& action);
/// Returns the kinds that a client wants; `source` includes all kinds below it.
std::set<ide::ActionKind> kindsAskedFor(const Client& client, const std::vector<std::string>& only);

/// A command that finds an edit and applies it, for clients that cannot resolve actions.
constexpr llvm::StringRef setTolerance = "tikc.setTolerance";

/// Whether the edit is only computed when the user chooses the action.
bool isFoundLater(const Client& client, const ide::CodeAction& action);
/// Adds the edit, or the data from which `codeAction/resolve` or a command computes it.
void addEdit(const Session& session, const Document& document, Convert& convert,
             const ide::CodeAction& action, json::Object& out);
/// Computes a deferred edit; `reply` makes the response.
using EditReply = std::function<llvm::Expected<json::Value>(Session&, json::Value edit)>;
llvm::Expected<Task> laterEdit(Session& session, const json::Object& data, EditReply reply);

/// Returns the edits, which may take long; the error says why there are none.
llvm::Expected<std::vector<Edit>> editsOf(const Snapshot& document, const Analysis& analysis,
                                          const ide::CodeAction::Does& does);

} // namespace tikc::lsp
