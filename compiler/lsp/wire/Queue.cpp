#include "lsp/wire/Queue.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

namespace tikc::lsp {
namespace {

// Cancelled requests that were answered before the news came are forgotten in time.
constexpr std::size_t mostCancelled = 1024;

std::string keyOf(const json::Value& id) {
  std::string out;
  llvm::raw_string_ostream(out) << id;
  return out;
}

} // namespace

struct Queue::State {
  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<Item> items;
  std::set<std::string> cancelled;

  void cancel(const json::Value& params) {
    const json::Object* object = params.getAsObject();
    if (const json::Value* id = object ? object->get("id") : nullptr) {
      if (cancelled.size() == mostCancelled)
        cancelled.clear();
      cancelled.insert(keyOf(*id));
    }
  }
};

Queue::Queue(int file) : state_(std::make_shared<State>()) {
  std::thread([state = state_, file] {
    Framing framing(readingFile(file));
    while (!read(*state, framing)) {
    }
  }).detach();
}

Queue::Queue(Read read) : unthreaded_(std::move(read)), state_(std::make_shared<State>()) {}

/// One message; true at the end.
bool Queue::read(State& state, Framing& framing) {
  auto text = framing.next();
  Item item{text ? readMessage(*text) : llvm::Expected<Message>(Message{}), !text, framing.fault()};
  std::lock_guard lock(state.mutex);
  if (item.message && !item.message->id && item.message->method == "$/cancelRequest") {
    state.cancel(item.message->params);
    return false;
  }
  state.items.push_back(std::move(item));
  state.arrived.notify_one();
  return !text;
}

Queue::Item Queue::take() {
  while (unthreaded_ && isEmpty())
    read(*state_, *unthreaded_);
  std::unique_lock lock(state_->mutex);
  state_->arrived.wait(lock, [&] { return !state_->items.empty(); });
  Item out = std::move(state_->items.front());
  state_->items.pop_front();
  return out;
}

bool Queue::isEmpty() const {
  std::lock_guard lock(state_->mutex);
  return state_->items.empty();
}

bool Queue::isCancelled(const json::Value& id) {
  std::lock_guard lock(state_->mutex);
  return state_->cancelled.erase(keyOf(id)) > 0;
}

} // namespace tikc::lsp
