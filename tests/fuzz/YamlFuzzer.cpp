// Any bytes at all: the reader must come back, and what it returns must lie in the file and hang
// together.

#include "support/Utf8.h"
#include "yaml/TreeDump.h"
#include "yaml/YamlReader.h"

#include <cstdio>
#include <cstdlib>

using namespace tikc;
using yaml::Node;

namespace {

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                         \
      std::abort();                                                                                \
    }                                                                                              \
  } while (false)

class Checker {
public:
  Checker(const Source& source, FileId file) : source_(source), file_(file) {}

  void inFile(const Span& span) const {
    REQUIRE(span.file == file_);
    REQUIRE(span.begin <= span.end);
    REQUIRE(span.end <= source_.text.size());
  }

  void node(const Node& node, int depth) const {
    REQUIRE(depth <= 64 + 1);
    inFile(node.span);
    if (node.kind == Node::Kind::Scalar)
      return scalar(node);
    std::uint32_t last = node.span.begin;
    auto child = [&](const Node& inner) {
      // A copy made for an alias keeps the places of the anchor's text; the alias itself stands
      // here.
      Span place =
          inner.aliasSpan.valid() && !node.aliasSpan.valid() ? inner.aliasSpan : inner.span;
      if (inner.aliasSpan.valid() == node.aliasSpan.valid() || !node.aliasSpan.valid()) {
        REQUIRE(node.aliasSpan.valid() || node.span.contains(place));
        REQUIRE(node.aliasSpan.valid() || place.begin >= last);
        last = place.end;
      }
      this->node(inner, depth + 1);
    };
    for (const auto& item : node.items)
      child(*item);
    for (const auto& entry : node.entries) {
      REQUIRE(entry.key && entry.value);
      inFile(entry.span);
      child(*entry.key);
      child(*entry.value);
    }
  }

private:
  void scalar(const Node& node) const {
    if (node.invalid)
      return;
    auto map = yaml::scalarMap(source_, node);
    auto size = static_cast<std::uint32_t>(node.value.size());
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < size && i < 2000; ++i) {
      Span raw = map.map(file_, i, i + 1);
      inFile(raw);
      REQUIRE(raw.begin >= last);
      last = raw.begin;
      // A byte that came from one byte is that byte, unless a line break was folded into a blank.
      if (raw.size() == 1 && source_.text[raw.begin] != '\n')
        REQUIRE(source_.text[raw.begin] == node.value[i]);
    }
    inFile(map.map(file_, 0, size));
    inFile(map.map(file_, size, size));
    REQUIRE(!utf8::firstInvalid(node.value));
  }

  const Source& source_;
  FileId file_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SourceManager sources;
  FileId file = sources.add("input", {}, std::string(reinterpret_cast<const char*>(data), size));
  Limits limits;
  limits.aliasExpansion = 1000;
  diag::Sink sink(limits);
  yaml::Tree tree = yaml::readYaml(sources, file, limits, sink);

  Checker checker(sources.get(file), file);
  bool complete = true;
  std::uint32_t end = 0;
  for (const auto& document : tree.documents) {
    REQUIRE(document.root);
    checker.inFile(document.span);
    REQUIRE(document.span.begin == end);
    end = document.span.end;
    checker.node(*document.root, 1);
    complete &= document.complete;
  }
  std::uint32_t last = 0;
  for (const auto& comment : tree.comments) {
    checker.inFile(comment.span);
    REQUIRE(comment.span.begin >= last);
    last = comment.span.end;
  }
  // Nothing is lost in silence.
  REQUIRE(complete || sink.hasErrors());
  auto findings = sink.take();
  for (const auto& found : findings) {
    checker.inFile(found.span);
    REQUIRE(!utf8::firstInvalid(found.message));
    for (const auto& fix : found.fixes)
      for (const auto& edit : fix.edits)
        checker.inFile(edit.span);
  }
  // The structure that the tokens tell is the one that the YAML parser would tell.
  diag::Sink bySink(limits);
  yaml::Tree byParser = yaml::readYaml(sources, file, limits, bySink, yaml::StructureBy::Parser);
  REQUIRE(yaml::dumpTree(sources, tree) == yaml::dumpTree(sources, byParser));
  auto others = bySink.take();
  REQUIRE(findings.size() == others.size());
  for (std::size_t i = 0; i < findings.size(); ++i)
    REQUIRE(findings[i].span.begin == others[i].span.begin &&
            findings[i].message == others[i].message);
  return 0;
}
