#pragma once

#include "ide/actions/Actions.h"
#include "lsp/answers/Convert.h"

namespace tikc::lsp {

/// An action in the wire's form, but for what it does.
json::Object actionOf(const ide::CodeAction& action);
/// Which kinds a client wants, by the names that it asks for: `source` is each kind of it.
std::set<ide::ActionKind> kindsAskedFor(const Client& client, const std::vector<std::string>& only);

/// Adds what it does: an edit, or what `codeAction/resolve` is to make one of.
void addEdit(const Document& document, Convert& convert, const ide::CodeAction& action,
             json::Object& out);
/// What was left for later; nothing where it is no such thing.
std::optional<ide::CodeAction::Does> laterIn(const json::Object& data);

/// The edits of what is done, which may take long to find; an error says why there are none.
llvm::Expected<std::vector<Edit>> editsOf(const Snapshot& document, const Analysis& analysis,
                                          const ide::CodeAction::Does& does);

} // namespace tikc::lsp
