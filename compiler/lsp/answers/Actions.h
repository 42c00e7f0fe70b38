#pragma once

#include "ide/actions/Actions.h"
#include "lsp/answers/Convert.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {

/// An action in the wire's form, but for what it does.
json::Object actionOf(const ide::CodeAction& action);
/// Which kinds a client wants, by the names that it asks for: `source` is each kind of it.
std::set<ide::ActionKind> kindsAskedFor(const Client& client, const std::vector<std::string>& only);

/// Changes the text by an edit that is found when it is executed, for clients that resolve nothing.
constexpr llvm::StringRef setTolerance = "tikc.setTolerance";

/// Whether finding its edit is left until the user chooses it.
bool isFoundLater(const Client& client, const ide::CodeAction& action);
/// Adds what it does: an edit, or the data from which `codeAction/resolve` or a command makes one.
void addEdit(const Session& session, const Document& document, Convert& convert,
             const ide::CodeAction& action, json::Object& out);
/// Finds an edit that was left for later; `reply` makes the answer.
using EditReply = std::function<llvm::Expected<json::Value>(Session&, json::Value edit)>;
llvm::Expected<Task> laterEdit(Session& session, const json::Object& data, EditReply reply);

/// The edits of what is done, which may take long to find; an error says why there are none.
llvm::Expected<std::vector<Edit>> editsOf(const Snapshot& document, const Analysis& analysis,
                                          const ide::CodeAction::Does& does);

} // namespace tikc::lsp
