#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// A text has changed: it is to be checked again, and so is all that rests on it.
void touch(Session& session, const std::string& uri, const std::filesystem::path& path);
/// The same of a document, whatever it is.
void touch(Session& session, const Document& document);
/// A tikc.yaml has changed: all is to be checked again.
void touchAll(Session& session);

/// Git is to be asked what an open contract is at HEAD.
void askHead(Session& session, const Document& document);
/// The same of all that are open: HEAD may have moved.
void askHeadOfAll(Session& session);

/// A text is no longer looked at: the client is told to forget its findings.
void withdraw(Session& session, const std::string& uri);

/// Does one piece of what waits, and tells the client of it; false when nothing waits.
bool workOn(Session& session);
/// Whether all is known, of every file.
bool isFinished(const Session& session);
/// The check of a contract that is open: the one under way, or else one that begins.
std::shared_ptr<const Crew::Errand> checkOf(Session& session, const Document& document);
/// Checks the settings, if they have to be.
void finishSettings(Session& session);

} // namespace tikc::lsp
