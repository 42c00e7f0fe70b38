#include "support/Workers.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

namespace tikc {
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

} // namespace

struct Thread::Running {
  std::function<void()> work;
  std::optional<pthread_t> thread;

  static void* run(void* running) {
    static_cast<Running*>(running)->work();
    return nullptr;
  }
  ~Running() {
    if (thread)
      pthread_join(*thread, nullptr);
  }
};

Thread::Thread(std::unique_ptr<Running> running) : running_(std::move(running)) {}
Thread::Thread(Thread&&) noexcept = default;
Thread::~Thread() = default;

std::optional<Thread> Thread::start(std::function<void()> work) {
  auto running = std::make_unique<Running>();
  running->work = std::move(work);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t thread;
  int fault = pthread_create(&thread, &attributes, Running::run, running.get());
  pthread_attr_destroy(&attributes);
  if (fault != 0)
    return std::nullopt;
  running->thread = thread;
  return Thread(std::move(running));
}

void runParallel(std::size_t count, unsigned jobs,
                 const std::function<std::function<void(std::size_t)>()>& makeWork) {
  Pool pool{count, makeWork, {}, {}, {}};
  std::size_t wanted =
      std::min<std::size_t>(jobs, (count + filesWorthAThread - 1) / filesWorthAThread);
  std::vector<Thread> threads;
  // Where the system gives no more threads, those that there are do the work.
  while (wanted > 1 && threads.size() < wanted)
    if (auto thread = Thread::start([&] { pool.drain(); }))
      threads.push_back(std::move(*thread));
    else
      break;
  if (threads.empty())
    pool.drain();
  threads.clear();
  if (pool.thrown)
    std::rethrow_exception(pool.thrown);
}

} // namespace tikc
