#include "yaml/TreeDump.h"

#include "support/StringRef.h"
#include "support/Utf8.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace tikc::yaml {
namespace {

namespace json = llvm::json;

constexpr std::string_view styles[] = {"plain", "single", "double", "literal", "folded", "empty"};
constexpr std::string_view types[] = {"null", "bool", "int", "float", "string"};

class Dumper {
public:
  Dumper(const SourceManager& sources, json::OStream& out) : sources_(sources), out_(out) {}

  void tree(const Tree& tree) {
    out_.object([&] {
      out_.attributeArray("documents", [&] {
        for (const YamlDocument& document : tree.documents)
          out_.object([&] {
            out_.attribute("complete", document.complete);
            span("span", document.span);
            out_.attributeBegin("root");
            node(*document.root);
            out_.attributeEnd();
          });
      });
      out_.attributeArray("comments", [&] {
        for (const Comment& comment : tree.comments)
          out_.object([&] {
            span("span", comment.span);
            out_.attribute("ownLine", comment.ownLine);
            out_.attribute("text", json::fixUTF8(asRef(sources_.text(comment.span))));
          });
      });
    });
  }

private:
  void span(llvm::StringRef name, const Span& span) {
    Position begin = sources_.position(span.file, span.begin);
    Position end = sources_.position(span.file, span.end);
    out_.attribute(name, json::Array{begin.line, begin.column, end.line, end.column});
  }

  void node(const Node& node) {
    out_.object([&] {
      span("span", node.span);
      if (node.aliasSpan.valid())
        span("alias", node.aliasSpan);
      if (node.invalid)
        out_.attribute("invalid", true);
      if (node.flow)
        out_.attribute("flow", true);
      contents(node);
    });
  }

  void contents(const Node& node) {
    switch (node.kind) {
    case Node::Kind::Scalar:
      out_.attribute("kind", "scalar");
      out_.attribute("type", asRef(types[static_cast<std::size_t>(node.type)]));
      out_.attribute("style", asRef(styles[static_cast<std::size_t>(node.style)]));
      out_.attribute("value", json::fixUTF8(asRef(node.value)));
      return;
    case Node::Kind::Sequence:
      out_.attribute("kind", "sequence");
      out_.attributeArray("items", [&] {
        for (const auto& item : node.items)
          this->node(*item);
      });
      return;
    case Node::Kind::Mapping:
      out_.attribute("kind", "mapping");
      out_.attributeArray("entries", [&] {
        for (const Entry& entry : node.entries)
          this->entry(entry);
      });
      return;
    }
  }

  void entry(const Entry& entry) {
    out_.object([&] {
      span("span", entry.span);
      out_.attributeBegin("key");
      node(*entry.key);
      out_.attributeEnd();
      out_.attributeBegin("value");
      node(*entry.value);
      out_.attributeEnd();
    });
  }

  const SourceManager& sources_;
  json::OStream& out_;
};

} // namespace

std::string dumpTree(const SourceManager& sources, const Tree& tree) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, 2);
  Dumper(sources, out).tree(tree);
  stream << '\n';
  return utf8::printableJson(text);
}

} // namespace tikc::yaml
