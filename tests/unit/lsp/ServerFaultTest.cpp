#include "lsp/Server.h"
#include "unit/FaultyRead.h"
#include "unit/ScratchFolder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>

#include <deque>
#include <filesystem>
#include <fstream>

namespace tikc::lsp {
namespace {

namespace json = llvm::json;

struct Line {
  std::string message;
  bool isAtFault = false; // while it is handled, the program is
};

/// What the server says of a conversation, and its exit status.
std::pair<std::string, int> said(std::deque<Line> lines) {
  std::string waiting, out;
  auto read = [&](char* to, std::size_t most) {
    if (waiting.empty() && !lines.empty()) {
      isReadingAtFault = lines.front().isAtFault;
      waiting = fmt::format("Content-Length: {}\r\n\r\n{}", lines.front().message.size(),
                            lines.front().message);
      lines.pop_front();
    }
    std::size_t count = waiting.copy(to, most);
    waiting.erase(0, count);
    return count;
  };
  int status = serve(read, [&](std::string_view text) {
    out += text;
    return true;
  });
  isReadingAtFault = false;
  return {out, status};
}

/// The answers, by their numbers.
std::map<std::int64_t, json::Object> answersIn(const std::string& text) {
  std::map<std::int64_t, json::Object> out;
  constexpr std::string_view gap = "\r\n\r\n";
  for (auto at = text.find(gap); at != std::string::npos; at = text.find(gap, at + 1)) {
    std::size_t begin = at + gap.size();
    auto message = json::parse(text.substr(begin, text.find("Content-Length", begin) - begin));
    if (!message)
      llvm::consumeError(message.takeError());
    else if (auto id = message->getAsObject()->getInteger("id"))
      out[*id] = *message->getAsObject();
  }
  return out;
}

std::string faultOf(const json::Object& answer) {
  const json::Object* error = answer.getObject("error");
  return error && error->getInteger("code") == -32603 ? error->getString("message")->str() : "";
}

TEST(ServerFaultTest, EndsARequestAndNotTheServer) {
  const tests::ScratchFolder scratch;
  const std::filesystem::path& folder = scratch.path();
  std::ofstream(folder / "base.tikc.yaml") << "tikc: v1\ncontract: base\nabstract: true\n";
  std::string document =
      fmt::format(R"("textDocument":{{"uri":"file://{}/a.tikc.yaml")", folder.string());
  auto opened = fmt::format(
      R"({{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{{},"languageId":"tikc","version":1,)"
      R"("text":"tikc: v1\ncontract: a\nextends: base.tikc.yaml\n"}}}}}})",
      document);
  auto asking = [&](int id, std::string_view method) {
    return fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"textDocument/{}","params":{{{}}},)"
                       R"("position":{{"line":1,"character":11}},"newName":"b"}}}})",
                       id, method, document);
  };
  auto [text, status] = said({
      {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}})"},
      {R"({"jsonrpc":"2.0","method":"initialized","params":{}})"},
      {opened, true},
      {asking(2, "hover"), true},
      {asking(3, "rename"), true},
      {asking(4, "hover")},
      {asking(5, "rename")},
      {R"({"jsonrpc":"2.0","id":6,"method":"shutdown"})"},
      {R"({"jsonrpc":"2.0","method":"exit"})"},
  });
  EXPECT_EQ(status, 0);
  auto answers = answersIn(text);
  EXPECT_EQ(faultOf(answers[2]).find("internal fault: it is not so that files are read well"), 0u)
      << text;
  EXPECT_NE(faultOf(answers[3]), "") << text;
  EXPECT_TRUE(answers[4].get("result")) << text;
  EXPECT_TRUE(answers[5].get("result")) << text;
}

} // namespace
} // namespace tikc::lsp
