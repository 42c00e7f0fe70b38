#pragma once

#include "ide/actions/Actions.h"
#include "lsp/answers/Convert.h"

namespace tikc::lsp {

/// An action in the wire's form, but for what it does.
json::Object actionOf(const ide::Action& action);
/// Which kinds a client wants, by the names that it asks for: `source` is each kind of it.
std::set<ide::ActionKind> kindsAskedFor(const Client& client, const std::vector<std::string>& only);

/// Adds what it does: an edit, or what `codeAction/resolve` is to make one of, where it takes long
/// and the client can ask for it. False where there is none.
bool addEdit(Session& session, const Document& document, Convert& convert,
             const ide::Action& action, json::Object& out);
/// The edit that was left for later; an error says why there is none.
llvm::Expected<json::Value> editOf(Session& session, const json::Object& data);

} // namespace tikc::lsp
