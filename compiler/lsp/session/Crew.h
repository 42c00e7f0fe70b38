#pragma once

#include "lsp/documents/WorldChecker.h"
#include "support/Workers.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tikc::lsp {

struct Session;

/// Threads that do what takes long. They never see the session: it belongs to the thread that talks
/// to the client, which is given what it is to do with each result. What somebody waits for never
/// waits itself: where no thread is free, another comes to the crew.
class Crew {
public:
  using Then = std::function<void(Session&)>;

  /// A piece of work in many parts, which threads take in any order. Whoever gave it may forget it:
  /// parts that were not begun are not done then.
  struct Errand {
    std::size_t parts = 0;
    std::function<Then(WorldChecker&, std::size_t)> work;

    bool isAbandoned() const { return isAbandoned_.load(); }
    /// No part of it is done or told of any more.
    void abandon() { isAbandoned_ = true; }
    /// To be asked where the session is: whether every part was told of, and whether the program
    /// was at fault in one, of which nothing is told then.
    bool isDone() const { return told_ == parts; }
    bool hasFailed() const { return fault_ != nullptr; }
    /// Throws what a part threw, if one did.
    void rethrow() const {
      if (fault_)
        std::rethrow_exception(fault_);
    }

  private:
    friend Crew;
    std::size_t next_ = 0; // guarded by the crew
    std::size_t told_ = 0;
    std::exception_ptr fault_;
    std::atomic<bool> isAbandoned_ = false;
  };

  /// With no thread, all is done when it is given. `wake` is called whenever something is done.
  Crew(unsigned threads, std::function<void()> wake);
  ~Crew();

  /// Of several errands each gets its turn, so that a short one does not wait for a long one.
  void give(std::shared_ptr<Errand> errand);
  /// One of a single part that somebody waits for: it goes before all others.
  void giveUrgent(std::shared_ptr<Errand> errand);
  /// What is to be done with a part that is ready. It throws what the part threw.
  std::optional<Then> takeDone();
  bool hasDone();

private:
  static Then done(const std::shared_ptr<Errand>& errand, WorldChecker& own, std::size_t part);
  bool addThread();
  bool doAllOf(const std::shared_ptr<Errand>& errand);
  bool mayBegin() const { return busy_ < standing_ && !errands_.empty(); }
  /// What is to be done next, for the thread that asks.
  std::shared_ptr<Errand> takeErrand();
  void work();

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::list<std::shared_ptr<Errand>> errands_; // the one whose turn it is first
  std::deque<std::shared_ptr<Errand>> urgent_;
  unsigned standing_ = 0;        // threads that are there for what nobody waits for
  unsigned busy_ = 0, idle_ = 0; // threads that do such a thing, or nothing
  std::deque<Then> done_;
  bool isEnding_ = false;
  std::unique_ptr<WorldChecker> own_; // of a crew without threads
  std::vector<Thread> threads_;
};

} // namespace tikc::lsp
