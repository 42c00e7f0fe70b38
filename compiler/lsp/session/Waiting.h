#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// The document of a request, until its content is known.
class PendingDocument {
public:
  explicit PendingDocument(const json::Object& params);

  /// Returns whether everything about the document is known; starts what is missing.
  bool isKnown(Session& session);
  /// Whether the text has changed since the request.
  bool hasChanged(const Session& session) const;

private:
  const Document* document(const Session& session) const;

  std::optional<std::string> uri_;
  std::optional<std::int64_t> version_;
  std::shared_ptr<const Crew::Errand> check_;
};

/// Returns the error for that case; the client then repeats the request for its present text.
llvm::Error textHasChanged();

/// Handles the request once its document has been checked.
Task onceChecked(const json::Object& params, Handler handle);
/// Begins a long request once its document has been checked.
using Beginning = llvm::Expected<Task> (*)(Session&, const json::Object&);
Task onceChecked(const json::Object& params, Beginning begin);

/// A computation by a thread of the crew, without the session. The destructor cancels it.
template <typename Value> class Sent {
public:
  Sent(Session& session, std::function<Value()> work) : state_(std::make_shared<State>()) {
    state_->errand->parts = 1;
    state_->errand->work = [work = std::move(work), wanted = std::weak_ptr(state_)](WorldChecker&,
                                                                                    std::size_t) {
      return [wanted, value = work()](Session&) {
        if (auto still = wanted.lock())
          still->value = value;
      };
    };
    session.crew.giveUrgent(state_->errand);
  }

  /// Rethrows an exception of the computation.
  bool isThere() const {
    state_->errand->rethrow();
    return state_->errand->isDone();
  }
  const Value& value() const { return state_->value; }

private:
  struct State {
    std::shared_ptr<Crew::Errand> errand = std::make_shared<Crew::Errand>();
    Value value{};
    ~State() { errand->abandon(); }
  };
  std::shared_ptr<State> state_;
};

/// Makes the response from the crew's result.
using Reply = std::function<llvm::Expected<json::Value>(Session&)>;
Task byCrew(Session& session, std::function<Reply()> work);

Task answer(json::Value value);

} // namespace tikc::lsp
