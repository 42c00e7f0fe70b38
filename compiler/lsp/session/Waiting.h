#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// The document that a request is about, until what it says is known.
class Awaited {
public:
  explicit Awaited(const json::Object& params);

  /// Whether nothing about it has to be waited for any more; what has to be is begun.
  bool isKnown(Session& session);
  /// Whether its text is another than when it was first asked about.
  bool hasChanged(const Session& session) const;

private:
  std::string uri_;
  std::optional<std::int64_t> version_;
  std::shared_ptr<const Crew::Errand> check_;
};

/// What is said then: the client asks again of the text that it has now.
llvm::Error textHasChanged();

/// The request is handled when the document that it is about was checked.
Task onceChecked(const json::Object& params, Handler handle);
/// The same of one that takes long even then.
using Beginning = llvm::Expected<Task> (*)(Session&, const json::Object&);
Task onceChecked(const json::Object& params, Beginning begin);

/// What makes the answer of what the crew has found.
using Reply = std::function<llvm::Expected<json::Value>(Session&)>;
/// A thread of the crew does it, which sees nothing of the session.
Task byCrew(Session& session, std::function<Reply()> work);

Task answer(json::Value value);

} // namespace tikc::lsp
