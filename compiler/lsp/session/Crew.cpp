#include "lsp/session/Crew.h"

#include <exception>

namespace tikc::lsp {

Crew::Crew(unsigned threads, std::function<void()> wake) : wake_(std::move(wake)) {
  while (threads_.size() < threads)
    if (auto thread = Thread::start([this] { work(); }))
      threads_.push_back(std::move(*thread));
    else
      break;
  if (threads_.empty())
    own_ = std::make_unique<Checkup>();
}

Crew::~Crew() {
  {
    std::lock_guard lock(mutex_);
    isEnding_ = true;
  }
  given_.notify_all();
}

void Crew::give(std::shared_ptr<Errand> errand) {
  if (own_) {
    for (std::size_t i = 0; i < errand->parts; ++i)
      done_.push_back(done(errand, *own_, i));
    return;
  }
  {
    std::lock_guard lock(mutex_);
    errands_.push_front(std::move(errand));
  }
  given_.notify_all();
}

std::optional<Crew::Then> Crew::takeDone() {
  std::lock_guard lock(mutex_);
  if (done_.empty())
    return std::nullopt;
  Then out = std::move(done_.front());
  done_.pop_front();
  return out;
}

bool Crew::hasDone() {
  std::lock_guard lock(mutex_);
  return !done_.empty();
}

Crew::Then Crew::done(const std::shared_ptr<Errand>& errand, Checkup& own, std::size_t part) {
  Then then;
  std::exception_ptr thrown;
  try {
    then = errand->work(own, part);
  } catch (...) {
    thrown = std::current_exception();
  }
  return [errand, then = std::move(then), thrown](Session& session) {
    ++errand->told_;
    if (thrown) {
      errand->hasFailed_ = true;
      std::rethrow_exception(thrown);
    }
    if (then)
      then(session);
  };
}

void Crew::work() {
  Checkup own;
  std::unique_lock lock(mutex_);
  for (;;) {
    given_.wait(lock, [&] { return isEnding_ || !errands_.empty(); });
    if (isEnding_)
      return;
    std::shared_ptr<Errand> errand = std::move(errands_.front());
    errands_.pop_front();
    if (errand->isAbandoned() || errand->next_ == errand->parts)
      continue;
    std::size_t part = errand->next_++;
    if (errand->next_ < errand->parts)
      errands_.push_back(errand);
    lock.unlock();
    Then then = done(errand, own, part);
    bool isTold = !errand->isAbandoned();
    errand.reset();
    lock.lock();
    if (isTold)
      done_.push_back(std::move(then));
    lock.unlock();
    if (isTold)
      wake_();
    lock.lock();
  }
}

} // namespace tikc::lsp
