#include "lsp/session/Parent.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <limits>
#include <mutex>
#include <thread>

namespace tikc::lsp {
namespace {

constexpr std::chrono::milliseconds pause(500);

/// Also one of another user is there.
bool isAlive(pid_t process) { return ::kill(process, 0) == 0 || errno != ESRCH; }

} // namespace

struct ParentWatch::State {
  std::mutex mutex;
  std::condition_variable ended;
  bool isEnded = false;
  std::thread thread;

  void watch(pid_t process, const std::function<void()>& gone) {
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, pause, [&] { return isEnded; }))
      if (!isAlive(process))
        return gone();
  }
};

ParentWatch::ParentWatch(std::int64_t process, std::function<void()> gone) {
  if (process <= 0 || process > std::numeric_limits<pid_t>::max() ||
      !isAlive(static_cast<pid_t>(process)))
    return;
  state_ = std::make_shared<State>();
  state_->thread = std::thread([state = state_.get(), process, gone = std::move(gone)] {
    state->watch(static_cast<pid_t>(process), gone);
  });
}

ParentWatch::~ParentWatch() {
  if (!state_)
    return;
  {
    std::lock_guard lock(state_->mutex);
    state_->isEnded = true;
  }
  state_->ended.notify_all();
  state_->thread.join();
}

} // namespace tikc::lsp
