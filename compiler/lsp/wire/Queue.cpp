#include "lsp/wire/Queue.h"

#include "lsp/wire/Framing.h"

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
  std::thread([state = state_, file] { read(state, file); }).detach();
}

void Queue::read(const std::shared_ptr<State>& state, int file) {
  Framing framing(file);
  for (;;) {
    auto text = framing.next();
    Item item{text ? readMessage(*text) : llvm::Expected<Message>(Message{}), !text,
              framing.fault()};
    std::lock_guard lock(state->mutex);
    if (item.message && item.message->method == "$/cancelRequest") {
      state->cancel(item.message->params);
      continue;
    }
    state->items.push_back(std::move(item));
    state->arrived.notify_one();
    if (!text)
      return;
  }
}

Queue::Item Queue::take() {
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
