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

/// Threads for long work. They never see the session, which belongs to the thread that talks to the
/// client; each result is a function for that thread. Urgent work never waits: if no thread is
/// free, the crew starts another.
class Crew {
public:
  using Then = std::function<void(Session&)>;

  /// Work in several parts, which threads take in any order. If its owner drops it, parts that have
  /// not begun are skipped.
  struct Errand {
    std::size_t parts = 0;
    std::function<Then(WorldChecker&, std::size_t)> work;

    bool isAbandoned() const { return isAbandoned_.load(); }
    /// Prevents further parts and results.
    void abandon() { isAbandoned_ = true; }
    /// On the session's thread: whether all results were delivered, and whether a part failed by an
    /// internal error. A failed part has no result.
    bool isDone() const { return told_ == parts; }
    bool hasFailed() const { return fault_ != nullptr; }
    /// Rethrows the exception of a part, if there is one.
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

  /// Without threads, work is done at once. `wake` is called after each part.
  Crew(unsigned threads, std::function<void()> wake);
  ~Crew();

  /// Adds an errand. Errands take turns, so that a short one does not wait for a long one.
  void give(std::shared_ptr<Errand> errand);
  /// Adds an urgent errand with one part, which precedes all others.
  void giveUrgent(std::shared_ptr<Errand> errand);
  /// Returns the next result. Throws if its part threw.
  std::optional<Then> takeDone();
  bool hasDone();

private:
  static Then done(const std::shared_ptr<Errand>& errand, WorldChecker& own, std::size_t part);
  bool addThread();
  bool doAllOf(const std::shared_ptr<Errand>& errand);
  bool mayBegin() const { return busy_ < standing_ && !errands_.empty(); }
  /// Returns the next errand for the calling thread.
  std::shared_ptr<Errand> takeErrand();
  void work();

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable given_;
  std::list<std::shared_ptr<Errand>> errands_; // the next one first
  std::deque<std::shared_ptr<Errand>> urgent_;
  unsigned standing_ = 0;        // threads for work that is not urgent
  unsigned busy_ = 0, idle_ = 0; // of all threads: busy with such work, idle
  std::deque<Then> done_;
  bool isEnding_ = false;
  std::unique_ptr<WorldChecker> own_; // of a crew without threads
  std::vector<Thread> threads_;
};

} // namespace tikc::lsp
