#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace tikc {

/// A thread with a stack of known size. Its destructor joins it.
class Thread {
public:
  /// Returns nothing if the system has no more threads.
  static std::optional<Thread> start(std::function<void()> work);

  Thread(Thread&&) noexcept;
  ~Thread();

private:
  struct Running;
  explicit Thread(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
};

/// Calls work(i) for every i below count, from up to `jobs` threads with stacks of known size. Each
/// thread calls `makeWork` once and owns what the result captures. An exception of a thread is
/// thrown again here.
void runParallel(std::size_t count, unsigned jobs,
                 const std::function<std::function<void(std::size_t)>()>& makeWork);

} // namespace tikc
