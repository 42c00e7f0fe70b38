#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace tikc {

/// A thread with a stack of known size. It is joined when it goes.
class Thread {
public:
  /// Nothing where the system gives no more threads.
  static std::optional<Thread> start(std::function<void()> work);

  Thread(Thread&&) noexcept;
  ~Thread();

private:
  struct Running;
  explicit Thread(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
};

/// Calls work(i) for every i below count from up to `jobs` threads, each with a stack of known
/// size. `makeWork` is called once in each thread, so that what it captures belongs to that thread.
/// What a thread throws is thrown again here.
void runParallel(std::size_t count, unsigned jobs,
                 const std::function<std::function<void(std::size_t)>()>& makeWork);

} // namespace tikc
