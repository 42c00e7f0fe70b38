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
  const Document* document(const Session& session) const;

  std::optional<std::string> uri_;
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

/// What a thread of the crew finds out, which sees nothing of the session. Whoever forgets it wants
/// it no more.
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

  /// Throws what looking for it threw.
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

/// What makes the answer of what the crew has found.
using Reply = std::function<llvm::Expected<json::Value>(Session&)>;
Task byCrew(Session& session, std::function<Reply()> work);

Task answer(json::Value value);

} // namespace tikc::lsp
