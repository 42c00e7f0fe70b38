#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// The document of a request, until its content is known.
class Awaited {
public:
  explicit Awaited(const json::Object& params);

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
template <typename Found> class Sent {
public:
  Sent(Session& session, std::function<Found()> work) : state_(std::make_shared<State>()) {
    state_->errand->parts = 1;
    state_->errand->work = [work = std::move(work), wanted = std::weak_ptr(state_)](WorldChecker&,
                                                                                    std::size_t) {
      return [wanted, found = work()](Session&) {
        if (auto still = wanted.lock())
          still->found = found;
      };
    };
    session.crew.giveUrgent(state_->errand);
  }

  /// Rethrows an exception of the computation.
  bool isThere() const {
    state_->errand->rethrow();
    return state_->errand->isDone();
  }
  const Found& found() const { return state_->found; }

private:
  struct State {
    std::shared_ptr<Crew::Errand> errand = std::make_shared<Crew::Errand>();
    Found found{};
    ~State() { errand->abandon(); }
  };
  std::shared_ptr<State> state_;
};

/// Makes the response from the crew's result.
using Reply = std::function<llvm::Expected<json::Value>(Session&)>;
Task byCrew(Session& session, std::function<Reply()> work);

Task answer(json::Value value);

} // namespace tikc::lsp
