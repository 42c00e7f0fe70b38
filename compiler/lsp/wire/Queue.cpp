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
// Who sends more before it is dealt with has to wait, and with it the memory.
constexpr std::size_t mostBytes = Framing::mostContent;

std::string keyOf(const json::Value& id) {
  std::string out;
  llvm::raw_string_ostream(out) << id;
  return out;
}

std::optional<llvm::StringRef> documentOf(const Message& change) {
  const json::Object* params = change.params.getAsObject();
  const json::Object* document = params ? params->getObject("textDocument") : nullptr;
  return document ? document->getString("uri") : std::nullopt;
}

const json::Array* changesOf(const Message& change) {
  const json::Object* params = change.params.getAsObject();
  return params ? params->getArray("contentChanges") : nullptr;
}

bool replacesAll(const Message& change) {
  const json::Array* changes = changesOf(change);
  const json::Object* first =
      changes && !changes->empty() ? changes->front().getAsObject() : nullptr;
  return first && first->getString("text") && !first->get("range");
}

} // namespace

struct Queue::State {
  std::mutex mutex;
  std::condition_variable arrived, taken;
  std::deque<Item> items;
  std::size_t bytes = 0; // of what waits
  bool isWoken = false, isEnded = false;
  std::set<std::string> cancelled;

  void cancel(const json::Value& params) {
    const json::Object* object = params.getAsObject();
    if (const json::Value* id = object ? object->get("id") : nullptr) {
      if (cancelled.size() == mostCancelled)
        cancelled.clear();
      cancelled.insert(keyOf(*id));
    }
  }

  void push(Item item) {
    bytes += item.bytes;
    items.push_back(std::move(item));
    arrived.notify_one();
  }

  /// A text that is replaced whole by the next message need not be read first: of an author who
  /// types faster than it is read, the last text is enough.
  bool supersedes(const Message& next) {
    Item* last = items.empty() ? nullptr : &items.back();
    if (!last || last->isLast || next.method != "textDocument/didChange" || next.id)
      return false;
    llvm::Expected<Message>& before = last->message;
    return before && before->method == next.method && !before->id &&
           documentOf(*before) == documentOf(next) && documentOf(next) && replacesAll(next) &&
           replacesAll(*before);
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
  Item item{text ? readMessage(*text) : llvm::Expected<Message>(Message{}), !text, framing.fault(),
            text ? text->size() : 0};
  std::unique_lock lock(state.mutex);
  if (item.message && !item.message->id && item.message->method == "$/cancelRequest")
    state.cancel(item.message->params);
  if (item.message && state.supersedes(*item.message)) {
    state.bytes -= state.items.back().bytes;
    state.items.pop_back();
  }
  state.taken.wait(lock, [&] { return state.bytes < mostBytes || state.isEnded; });
  state.push(std::move(item));
  return !text || state.isEnded;
}

std::optional<Queue::Item> Queue::take() {
  if (unthreaded_ && isEmpty())
    read(*state_, *unthreaded_);
  std::unique_lock lock(state_->mutex);
  state_->arrived.wait(lock, [&] { return !state_->items.empty() || state_->isWoken; });
  state_->isWoken = false;
  if (state_->items.empty())
    return std::nullopt;
  Item out = std::move(state_->items.front());
  state_->items.pop_front();
  state_->bytes -= out.bytes;
  state_->taken.notify_one();
  return out;
}

void Queue::wake() {
  std::lock_guard lock(state_->mutex);
  state_->isWoken = true;
  state_->arrived.notify_one();
}

void Queue::end() {
  std::lock_guard lock(state_->mutex);
  state_->isEnded = true;
  for (Item& item : state_->items)
    llvm::consumeError(item.message.takeError());
  state_->items.clear();
  state_->push({llvm::Expected<Message>(Message{}), true});
  state_->taken.notify_one();
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
