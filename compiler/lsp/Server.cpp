#include "lsp/Server.h"

#include "lsp/answers/Naming.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Parent.h"
#include "lsp/session/Waiting.h"
#include "lsp/session/Work.h"
#include "lsp/wire/Queue.h"
#include "project/Revision.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <list>
#include <new>
#include <thread>
#include <unistd.h>

namespace tikc::lsp {
namespace {

constexpr int clean = 0, unclean = 1;

/// A fault of the program ends what it was doing, and no more. Without memory nothing goes on.
template <typename Act> llvm::Error guarded(Act act) {
  try {
    act();
    return llvm::Error::success();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& fault) {
    return failure(ErrorCode::InternalError, fmt::format("internal fault: {}", fault.what()));
  }
}

struct RequestRow {
  llvm::StringRef method;
  Handler handle;
};
constexpr RequestRow requests[] = {
#define REQUEST(Name, method) {method, on##Name},
#include "lsp/methods/Methods.def"
};

struct NamesRequestRow {
  llvm::StringRef method;
  NamesHandler handle;
};
constexpr NamesRequestRow namesRequests[] = {
#define REQUEST_OF_NAMES(Name, method) {method, on##Name},
#include "lsp/methods/Methods.def"
};

struct LongRequestRow {
  llvm::StringRef method;
  Task (*begin)(Session&, const json::Object&);
};
constexpr LongRequestRow longRequests[] = {
#define LONG_REQUEST(Name, method) {method, on##Name},
#include "lsp/methods/Methods.def"
};

struct NotificationRow {
  llvm::StringRef method;
  llvm::Error (*handle)(Session&, const json::Object&);
};
constexpr NotificationRow notifications[] = {
#define NOTIFICATION(Name, method) {method, on##Name},
#include "lsp/methods/Methods.def"
};

class Server {
public:
  /// `input` is what a queue is made of.
  template <typename Input>
  Server(Input input, Write output, unsigned threads)
      : output_(std::move(output)), queue_(std::move(input)),
        session_([this](const std::string& text) { write(text); }, threads,
                 [this] { queue_.wake(); }) {
    session_.mayAskGit = threads > 0; // else all would wait for it
    if (threads > 0)
      session_.watchParent = [this](std::int64_t process) {
        parent_.emplace(process, [this] { queue_.end(); });
      };
  }

  int run() {
    for (;;) {
      while (queue_.isEmpty() && work()) {
      }
      std::optional<Queue::Item> item = queue_.take();
      if (!item)
        continue;
      if (item->isLast) {
        llvm::consumeError(item->message.takeError());
        if (!item->fault.empty())
          write(writeError(nullptr, failure(ErrorCode::ParseError, item->fault)));
        return session_.isShutDown && item->fault.empty() ? clean : unclean;
      }
      if (!item->message) {
        write(writeError(nullptr, item->message.takeError()));
        continue;
      }
      if (item->message->method == "exit")
        return session_.isShutDown ? clean : unclean;
      if (auto fault = guarded([&] { handle(*item->message); }))
        tell(*item->message, std::move(fault));
      if (isBroken_)
        return unclean;
    }
  }

private:
  struct Waiting {
    json::Value id;
    Task task;
  };

  /// A little of what is to be done while no message waits; false where there is nothing.
  bool work() {
    if (!session_.isInitialized || session_.isShutDown)
      return false;
    bool isAnyDone = false;
    if (auto fault = guarded([&] { isAnyDone = workOn(session_); })) {
      log(std::move(fault));
      return true;
    }
    for (auto at = waiting_.begin(); at != waiting_.end() && queue_.isEmpty();)
      if (auto answer = ask(at->task)) {
        send(at->id, std::move(*answer));
        at = waiting_.erase(at);
        isAnyDone = true;
      } else {
        ++at;
      }
    // A crew without threads has done at once what a task just gave it.
    return std::exchange(session_.hasMoreToSay, false) || isAnyDone || session_.crew.hasDone();
  }

  void handle(const Message& message) {
    if (message.method.empty())
      return answered(message);
    const json::Object* object = message.params.getAsObject();
    static const json::Object none;
    const json::Object& params = object ? *object : none;
    if (!message.id && message.method == "$/cancelRequest")
      return cancel(params);
    if (!message.id)
      return notified(message.method, params);
    if (message.method == "shutdown")
      abandonAll();
    if (auto fault = unfit(message))
      return write(writeError(*message.id, std::move(fault)));
    for (const LongRequestRow& row : longRequests)
      if (row.method == message.method)
        return wait(*message.id, row.begin(session_, params));
    for (const NamesRequestRow& row : namesRequests)
      if (row.method == message.method)
        return wait(*message.id, onceNamesAreKnown(params, row.handle));
    for (const RequestRow& row : requests)
      if (row.method == message.method)
        return wait(*message.id, onceChecked(params, row.handle));
    write(writeError(*message.id, failure(ErrorCode::MethodNotFound,
                                          message.method + " is not a known method")));
  }

  llvm::Error unfit(const Message& message) {
    if (queue_.isCancelled(*message.id))
      return failure(ErrorCode::RequestCancelled, "cancelled");
    if (session_.isShutDown)
      return failure(ErrorCode::InvalidRequest, "the server was shut down");
    if (!session_.isInitialized && message.method != "initialize")
      return failure(ErrorCode::ServerNotInitialized, "send initialize first");
    return llvm::Error::success();
  }

  std::optional<llvm::Expected<json::Value>> ask(Task& task) {
    std::optional<llvm::Expected<json::Value>> answer;
    if (auto fault = guarded([&] {
          if (auto done = task(session_))
            answer.emplace(std::move(*done));
        }))
      return fault;
    return answer;
  }

  void wait(const json::Value& id, Task task) {
    if (auto answer = ask(task))
      return send(id, std::move(*answer));
    waiting_.push_back({id, std::move(task)});
  }

  void send(const json::Value& id, llvm::Expected<json::Value> result) {
    write(result ? writeResult(id, std::move(*result)) : writeError(id, result.takeError()));
  }

  void cancel(const json::Object& params) {
    const json::Value* id = params.get("id");
    for (auto at = waiting_.begin(); id && at != waiting_.end(); ++at)
      if (at->id == *id) {
        queue_.isCancelled(*id);
        write(writeError(*id, failure(ErrorCode::RequestCancelled, "cancelled")));
        waiting_.erase(at);
        return;
      }
  }

  void abandonAll() {
    for (const Waiting& each : waiting_)
      write(writeError(each.id, failure(ErrorCode::RequestCancelled, "the server shuts down")));
    waiting_.clear();
  }

  /// What the client says to what was asked of it.
  void answered(const Message& message) {
    auto request = session_.asked.find(message.id->getAsInteger().value_or(0));
    if (request == session_.asked.end())
      return;
    Session::Answered then = std::move(request->second);
    session_.asked.erase(request);
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
          log(std::move(error), method + ": ");
  }

  /// Reports what went wrong with a message: as its answer, or in the log if it has none.
  void tell(const Message& message, llvm::Error error) {
    if (message.id && !message.method.empty())
      write(writeError(*message.id, std::move(error)));
    else
      log(std::move(error), message.method + ": ");
  }

  void log(llvm::Error error, std::string what = {}) {
    session_.notify(
        "window/logMessage",
        json::Object{{"type", 1}, {"message", std::move(what) + llvm::toString(std::move(error))}});
  }

  void write(const std::string& text) { isBroken_ = isBroken_ || !output_(text); }

  Write output_;
  bool isBroken_ = false;
  Queue queue_;
  Session session_;
  std::list<Waiting> waiting_; // requests
  std::optional<ParentWatch> parent_;
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
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  Server server(
      input, [output](std::string_view text) { return writeAll(output, text); }, threads);
  int status = server.run();
  // Threads may be at work for seconds more, and nobody waits for what they find.
  project::PassingFolder::endAll();
  std::_Exit(status);
}

int serve(Read read, Write write) { return Server(std::move(read), std::move(write), 0).run(); }

} // namespace tikc::lsp
