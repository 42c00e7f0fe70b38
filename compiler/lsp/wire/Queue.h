#pragma once

#include "lsp/wire/Framing.h"
#include "lsp/wire/Message.h"

#include <memory>
#include <string>

namespace tikc::lsp {

/// What a client sent and nobody handled yet. One thread reads, so that a request can be cancelled
/// while others wait, and so that work for a text that has changed since is not begun.
class Queue {
public:
  explicit Queue(int file);
  /// Without a thread: each message is read when it is asked for, and none waits before.
  explicit Queue(Read read);

  /// A message, or text that is none.
  struct Item {
    llvm::Expected<Message> message;
    bool isLast = false;    // the input has ended
    std::string fault = {}; // why, if it did not end well
    std::size_t bytes = 0;
  };
  /// Waits for a message; nothing where it was woken before one came.
  std::optional<Item> take();
  /// Whoever waits for a message, or will wait next, is not to wait. Any thread may say so.
  void wake();
  /// Nothing more is to be taken: what came is as if the input ended there. Any thread may say so.
  void end();
  /// Whether nothing waits now.
  bool isEmpty() const;
  /// Whether the client has taken a request back. It is asked once a request. That a request was
  /// taken back is also a message, which comes in its turn.
  bool isCancelled(const json::Value& id);

private:
  struct State;
  static bool read(State& state, Framing& framing);

  std::optional<Framing> unthreaded_;
  std::shared_ptr<State> state_; // the reader may outlive its owner, which ends with the process
};

} // namespace tikc::lsp
