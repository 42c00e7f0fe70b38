#pragma once

#include "lsp/Session.h"

namespace tikc::lsp {

/// A text has changed: it is to be checked again, and so is all that rests on it.
void touch(Session& session, const std::string& uri, const std::filesystem::path& path);
/// The same of a document, whatever it is.
void touch(Session& session, const Document& document);
/// A tikc.yaml has changed: all is to be checked again.
void touchAll(Session& session);

/// A text is no longer looked at: the client is told to forget its findings.
void withdraw(Session& session, const std::string& uri);

/// Looks for contracts below all roots, where that is not done yet: some questions are about all.
void discoverAll(Session& session);

/// Does one piece of what waits, and tells the client of it; false when nothing waits.
bool workOn(Session& session);
/// Does what waits for one document, or for all; the latter only until the client has something
/// else to say, if it can be told to ask again.
void finish(Session& session, const Document& document);
void finishAll(Session& session);

} // namespace tikc::lsp
