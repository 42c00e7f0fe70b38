#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// Schedules a check of a changed text and of everything that depends on it.
void touch(Session& session, const std::string& uri, const std::filesystem::path& path);
/// Schedules a check of a changed document of any kind.
void touch(Session& session, const Document& document);
/// Schedules a check of everything, because a tikc.yaml has changed.
void touchAll(Session& session);

/// Schedules a question to Git about an open contract at HEAD.
void askHead(Session& session, const Document& document);
/// Schedules that question for all open contracts, because HEAD may have moved.
void askHeadOfAll(Session& session);

/// Stops looking at a text, and clears its findings in the client.
void withdraw(Session& session, const std::string& uri);

/// Does one piece of pending work and reports its results to the client. Returns false if there is
/// none.
bool workOn(Session& session);
/// Whether all files have been checked.
bool isFinished(const Session& session);
/// Returns the running check of an open contract, or starts one.
std::shared_ptr<const Crew::Errand> checkOf(Session& session, const Document& document);
/// Checks the settings files, if that is pending.
void finishSettings(Session& session);

} // namespace tikc::lsp
