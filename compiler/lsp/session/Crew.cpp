#include "lsp/session/Crew.h"

namespace tikc::lsp {

namespace {

// Each may be at work for somebody who waits.
constexpr std::size_t mostThreads = 64;

} // namespace

Crew::Crew(unsigned threads, std::function<void()> wake) : wake_(std::move(wake)) {
  while (threads_.size() < threads && addThread()) {
  }
  standing_ = static_cast<unsigned>(threads_.size());
  if (threads_.empty())
    own_ = std::make_unique<WorldChecker>();
}

bool Crew::addThread() {
  auto thread = Thread::start([this] { work(); });
  if (thread)
    threads_.push_back(std::move(*thread));
  return thread.has_value();
}

Crew::~Crew() {
  {
    std::lock_guard lock(mutex_);
    isEnding_ = true;
  }
  given_.notify_all();
}

/// For a crew without threads.
bool Crew::doAllOf(const std::shared_ptr<Errand>& errand) {
  for (std::size_t i = 0; own_ && i < errand->parts; ++i)
    done_.push_back(done(errand, *own_, i));
  return own_ != nullptr;
}

void Crew::give(std::shared_ptr<Errand> errand) {
  if (doAllOf(errand))
    return;
  {
    std::lock_guard lock(mutex_);
    errands_.push_front(std::move(errand));
  }
  given_.notify_all();
}

void Crew::giveUrgent(std::shared_ptr<Errand> errand) {
  if (doAllOf(errand))
    return;
  bool isFree = false;
  {
    std::lock_guard lock(mutex_);
    urgent_.push_back(std::move(errand));
    isFree = urgent_.size() <= idle_;
  }
  if (!isFree && threads_.size() < mostThreads)
    addThread();
  given_.notify_one();
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

Crew::Then Crew::done(const std::shared_ptr<Errand>& errand, WorldChecker& own, std::size_t part) {
  Then then;
  std::exception_ptr thrown;
  try {
    then = errand->work(own, part);
  } catch (...) {
    thrown = std::current_exception();
  }
  return [errand, then = std::move(then), thrown](Session& session) {
    if (++errand->told_ == errand->parts)
      errand->work = {}; // and what it was done with, which may be large
    if (thrown) {
      errand->fault_ = thrown;
      std::rethrow_exception(thrown);
    }
    if (then)
      then(session);
  };
}

std::shared_ptr<Crew::Errand> Crew::takeErrand() {
  auto& from = urgent_.empty() ? errands_.front() : urgent_.front();
  std::shared_ptr<Errand> out = std::move(from);
  if (urgent_.empty())
    errands_.pop_front();
  else
    urgent_.pop_front();
  return out;
}

void Crew::work() {
  WorldChecker own;
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    given_.wait(lock, [&] { return isEnding_ || !urgent_.empty() || mayBegin(); });
    --idle_;
    if (isEnding_)
      return;
    bool isUrgent = !urgent_.empty();
    std::shared_ptr<Errand> errand = takeErrand();
    if (errand->isAbandoned() || errand->next_ == errand->parts)
      continue;
    std::size_t part = errand->next_++;
    if (errand->next_ < errand->parts)
      errands_.push_back(errand);
    busy_ += isUrgent ? 0 : 1;
    if (isUrgent && mayBegin())
      given_.notify_one(); // somebody else's, now
    lock.unlock();
    Then then = done(errand, own, part);
    bool isTold = !errand->isAbandoned();
    errand.reset();
    lock.lock();
    busy_ -= isUrgent ? 0 : 1;
    if (isTold)
      done_.push_back(std::move(then));
    lock.unlock();
    if (isTold)
      wake_();
    lock.lock();
  }
}

} // namespace tikc::lsp
