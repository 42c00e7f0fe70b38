#include "checker/emit/cpp/Standalone.h"

#include "support/Check.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace tikc::emit::cpp {
namespace {

struct Header {
  std::string_view name;
  std::string_view text;
};

#include "tikc/Runtime.inc"

const Header& find(std::string_view name) {
  const Header* header = std::find_if(std::begin(headerTable), std::end(headerTable),
                                      [&](const Header& row) { return row.name == name; });
  TIKC_CHECK(header != std::end(headerTable), "each header of the runtime is embedded");
  return *header;
}

class Inliner {
public:
  void add(std::string_view text) {
    while (!text.empty()) {
      std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      line(text.substr(0, end));
      text.remove_prefix(end);
    }
  }

  std::string take() { return std::move(out_); }

private:
  /// A header without `#pragma once` is meant to be included at each place; what it says to people
  /// is said at the first.
  void line(std::string_view line) {
    constexpr std::string_view include = "#include \"", once = "#pragma once\n";
    if (line.starts_with(include)) {
      const Header& header = find(line.substr(include.size(), line.rfind('"') - include.size()));
      bool isFirst = seen_.insert(header.name).second;
      if (header.text.find(once) == std::string_view::npos)
        addTable(header, isFirst);
      else if (isFirst)
        addGuarded(header);
    } else if (isRepeated_ && line.starts_with("//")) {
      return;
    } else if (line != once || depth_ == 0) {
      out_ += line;
    }
  }

  void addTable(const Header& header, bool isFirst) {
    bool outer = std::exchange(isRepeated_, !isFirst);
    add(header.text);
    isRepeated_ = outer;
  }

  /// A source may include the headers of several contracts, each of which has the runtime in it.
  void addGuarded(const Header& header) {
    std::string guard = "TIKC_RUNTIME_";
    for (char c : header.name)
      guard += c == '/' || c == '.' ? '_' : llvm::toUpper(c);
    out_ += "#ifndef " + guard + "\n#define " + guard + "\n";
    ++depth_;
    add(header.text);
    --depth_;
    out_ += "#endif\n";
  }

  std::string out_;
  std::set<std::string_view> seen_;
  unsigned depth_ = 0;      // of headers within headers
  bool isRepeated_ = false; // what is being added
};

} // namespace

std::string standalone(const std::string& text) {
  Inliner inliner;
  inliner.add(text);
  return inliner.take();
}

} // namespace tikc::emit::cpp
