#include "lsp/Server.h"

#include "lsp/Methods.h"
#include "lsp/Work.h"
#include "lsp/wire/Queue.h"

#include <cerrno>
#include <unistd.h>

namespace tikc::lsp {
namespace {

constexpr int clean = 0, unclean = 1;

struct RequestRow {
  llvm::StringRef method;
  llvm::Expected<json::Value> (*handle)(Session&, const json::Object&);
};
constexpr RequestRow requests[] = {
#define REQUEST(Name, method) {method, on##Name},
#include "lsp/Methods.def"
};

struct NotificationRow {
  llvm::StringRef method;
  llvm::Error (*handle)(Session&, const json::Object&);
};
constexpr NotificationRow notifications[] = {
#define NOTIFICATION(Name, method) {method, on##Name},
#include "lsp/Methods.def"
};

class Server {
public:
  /// `input` is what a queue is made of.
  template <typename Input>
  Server(Input input, Write output)
      : output_(std::move(output)), queue_(std::move(input)),
        session_([this](const std::string& text) { write(text); }) {
    session_.isAwaited = [this] { return !queue_.isEmpty(); };
  }

  int run() {
    for (;;) {
      while (session_.isInitialized && queue_.isEmpty() && workOn(session_)) {
      }
      Queue::Item item = queue_.take();
      if (item.isLast) {
        llvm::consumeError(item.message.takeError());
        if (!item.fault.empty())
          write(writeError(nullptr, failure(ErrorCode::ParseError, item.fault)));
        return session_.isShutDown && item.fault.empty() ? clean : unclean;
      }
      if (!item.message) {
        write(writeError(nullptr, item.message.takeError()));
        continue;
      }
      if (item.message->method == "exit")
        return session_.isShutDown ? clean : unclean;
      handle(*item.message);
      if (isBroken_)
        return unclean;
    }
  }

private:
  void handle(const Message& message) {
    if (message.method.empty())
      return answered(message);
    const json::Object* given = message.params.getAsObject();
    static const json::Object none;
    if (!message.id)
      return notified(message.method, given ? *given : none);
    auto result = answer(message, given ? *given : none);
    write(result ? writeResult(*message.id, std::move(*result))
                 : writeError(*message.id, result.takeError()));
  }

  llvm::Expected<json::Value> answer(const Message& message, const json::Object& params) {
    if (queue_.isCancelled(*message.id))
      return failure(ErrorCode::RequestCancelled, "cancelled");
    if (session_.isShutDown)
      return failure(ErrorCode::InvalidRequest, "the server was shut down");
    if (!session_.isInitialized && message.method != "initialize")
      return failure(ErrorCode::ServerNotInitialized, "initialize comes first");
    for (const RequestRow& row : requests)
      if (row.method == message.method)
        return row.handle(session_, params);
    return failure(ErrorCode::MethodNotFound, message.method + " is not known");
  }

  /// What the client says to what was asked of it.
  void answered(const Message& message) {
    auto asked = session_.asked.find(message.id->getAsInteger().value_or(0));
    if (asked == session_.asked.end())
      return;
    Session::Answered then = std::move(asked->second);
    session_.asked.erase(asked);
    if (then)
      then(message);
  }

  /// Nobody answers a notification: what is wrong with one is told where people look.
  void notified(const std::string& method, const json::Object& params) {
    if (!session_.isInitialized || session_.isShutDown)
      return;
    for (const NotificationRow& row : notifications)
      if (row.method == method)
        if (auto error = row.handle(session_, params))
          session_.notify(
              "window/logMessage",
              json::Object{{"type", 1},
                           {"message", method + ": " + llvm::toString(std::move(error))}});
  }

  void write(const std::string& text) { isBroken_ = isBroken_ || !output_(text); }

  Write output_;
  bool isBroken_ = false;
  Queue queue_;
  Session session_;
};

bool writeAll(int file, std::string_view text) {
  while (!text.empty()) {
    ssize_t count = ::write(file, text.data(), text.size());
    if (count > 0)
      text.remove_prefix(static_cast<std::size_t>(count));
    else if (count < 0 && errno != EINTR)
      return false;
  }
  return true;
}

} // namespace

int serve(int input, int output) {
  return Server(input, [output](std::string_view text) { return writeAll(output, text); }).run();
}

int serve(Read read, Write write) { return Server(std::move(read), std::move(write)).run(); }

} // namespace tikc::lsp
