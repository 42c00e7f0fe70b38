#include "Require.h"
#include "lsp/Server.h"
#include "lsp/wire/Message.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/JSON.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>

// The language server from bytes to bytes. Input that begins with a header is what a client sends
// as it is; of other input each line is the content of a message, and gets its header here.
namespace {

using namespace tikc;
namespace json = llvm::json;

/// Whether files are named below /w only, which is not there: what lies on this machine's disk must
/// make no difference. Escapes could hide a name.
bool isTame(llvm::StringRef text) {
  if (text.contains_insensitive("\\u00"))
    return false;
  while (true) {
    std::size_t at = text.find_insensitive("file:");
    if (at == llvm::StringRef::npos)
      return true;
    text = text.drop_front(at);
    llvm::StringRef uri = text.take_until([](char c) { return c == '"'; });
    if (!uri.consume_front("file:///w") || !(uri.empty() || uri.front() == '/') ||
        uri.contains("..") || uri.contains_insensitive("%2") || uri.contains('\\'))
      return false;
    text = text.drop_front(5);
  }
}

std::string framed(llvm::StringRef lines) {
  std::string out;
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    out += "Content-Length: " + std::to_string(line.size()) + "\r\n\r\n" + line.str();
    lines = rest;
  }
  return out;
}

std::string keyOf(const json::Value& id) {
  std::string out;
  llvm::raw_string_ostream(out) << id;
  return out;
}

/// What clients rely on: each message of the server is one, and each request has one answer.
class Client {
public:
  /// The requests before the client says to exit.
  void sends(llvm::StringRef input) {
    lsp::Framing framing(reading(input));
    while (auto text = framing.next()) {
      auto message = lsp::readMessage(*text);
      if (!message)
        llvm::consumeError(message.takeError());
      else if (message->method == "exit")
        return;
      else if (message->id && !message->method.empty())
        asked_.insert(keyOf(*message->id));
    }
  }

  void hears(llvm::StringRef output) {
    lsp::Framing framing(reading(output));
    while (auto text = framing.next()) {
      auto value = json::parse(*text);
      require(bool(value), "the server writes JSON");
      const json::Object* message = value->getAsObject();
      require(message && message->getString("jsonrpc") == "2.0", "of JSON-RPC");
      if (message->get("method"))
        continue;
      const json::Value* id = message->get("id");
      require(id && (message->get("result") != nullptr) != (message->get("error") != nullptr),
              "an answer has an id, and a result or an error");
      auto request = asked_.find(keyOf(*id));
      // What could not be read has no name.
      require(request != asked_.end() || id->kind() == json::Value::Null,
              "what is answered was asked, and was not answered before");
      if (request != asked_.end())
        asked_.erase(request);
    }
    require(framing.fault().empty(), "the server's messages are framed");
    require(asked_.empty(), "each request is answered");
  }

  static lsp::Read reading(llvm::StringRef text) {
    return [text](char* to, std::size_t most) mutable {
      std::size_t count = std::min(most, text.size());
      std::memcpy(to, text.data(), count);
      text = text.drop_front(count);
      return count;
    };
  }

private:
  std::multiset<std::string> asked_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  llvm::StringRef text(reinterpret_cast<const char*>(data), size);
  if (!isTame(text))
    return 0;
  std::string input = text.starts_with_insensitive("content-") ? text.str() : framed(text);
  std::string output;
  int status = lsp::serve(Client::reading(input), [&](std::string_view more) {
    output += more;
    return true;
  });
  require(status == 0 || status == 1, "the exit status is the protocol's");
  Client client;
  client.sends(input);
  client.hears(output);
  return 0;
}
