#pragma once

#include "lsp/wire/Framing.h"
#include "lsp/wire/Message.h"

#include <memory>
#include <string>

namespace tikc::lsp {

/// Messages of the client that were not handled yet. A thread reads them, so that waiting requests
/// can be cancelled, and no work begins for outdated texts.
class Queue {
public:
  explicit Queue(int file);
  /// Works without a thread: each message is read when it is needed.
  explicit Queue(Read read);

  /// A message, or text that is not one.
  struct Item {
    llvm::Expected<Message> message;
    bool isLast = false;    // the input has ended
    std::string fault = {}; // why, if it did not end normally
    std::size_t bytes = 0;
  };
  /// Waits for a message; returns nothing if wake() was called first.
  std::optional<Item> take();
  /// Makes the present or next take() return at once. Safe on any thread.
  void wake();
  /// Ends the queue as if the input ended after the received messages. Safe on any thread.
  void end();
  /// Whether no message waits.
  bool isEmpty() const;
  /// Whether the client has cancelled a request; asked once for each request. The cancellation is
  /// also a message in the queue.
  bool isCancelled(const json::Value& id);

private:
  struct State;
  static bool read(State& state, Framing& framing);

  std::optional<Framing> unthreaded_;
  std::shared_ptr<State> state_; // shared with the reader, which may outlive the queue
};

} // namespace tikc::lsp
