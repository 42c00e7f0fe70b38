#include "driver/Workers.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

namespace tikc::driver {
namespace {

// The default follows `ulimit -s`, which containers set low; the parsers recurse as deep as the
// limits let them.
constexpr std::size_t stackBytes = 8u << 20;
// Below so many files a thread costs more than it brings: its parser has to warm up.
constexpr std::size_t filesWorthAThread = 8;

struct Pool {
  std::size_t count;
  const std::function<std::function<void(std::size_t)>()>& makeWork;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;

  void drain() {
    try {
      auto work = makeWork();
      for (std::size_t i = next++; i < count; i = next++)
        work(i);
    } catch (...) {
      next = count;
      std::lock_guard lock(mutex);
      thrown = std::current_exception();
    }
  }
};

void* drainPool(void* pool) {
  static_cast<Pool*>(pool)->drain();
  return nullptr;
}

} // namespace

void runParallel(std::size_t count, unsigned jobs,
                 const std::function<std::function<void(std::size_t)>()>& makeWork) {
  Pool pool{count, makeWork, {}, {}, {}};
  std::size_t wanted =
      std::min<std::size_t>(jobs, (count + filesWorthAThread - 1) / filesWorthAThread);
  std::vector<pthread_t> threads;
  if (wanted > 1) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stackBytes);
    pthread_t thread;
    // Where the system gives no more threads, those that there are do the work.
    while (threads.size() < wanted && pthread_create(&thread, &attributes, drainPool, &pool) == 0)
      threads.push_back(thread);
    pthread_attr_destroy(&attributes);
  }
  if (threads.empty())
    pool.drain();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  if (pool.thrown)
    std::rethrow_exception(pool.thrown);
}

} // namespace tikc::driver
