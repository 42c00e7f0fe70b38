#include "expr/Format.h"

#include "model/Keys.h"
#include "yaml/Layout.h"

#include <algorithm>

namespace tikc::expr {
namespace {

using model::Form;
using model::Shape;

/// Finds the plain scalars that hold expressions, by the shapes that the language gives its keys.
class Spacing {
public:
  Spacing(const SourceManager& sources, ExprParser& expressions, yaml::Rewritten& out)
      : sources_(sources), expressions_(expressions), out_(out) {}

  void node(const yaml::Node& node, Shape shape) {
    const model::ShapeInfo& want = model::info(shape);
    if (node.kind == yaml::Node::Kind::Scalar)
      return scalar(node, want.entry);
    if (node.aliasSpan.valid() || node.invalid)
      return;
    if (node.kind == yaml::Node::Kind::Sequence) {
      for (const auto& item : node.items)
        if (want.element)
          this->node(*item, *want.element);
      return;
    }
    for (const yaml::Entry& entry : node.entries)
      // A directive's `require` holds a directive, as its short form does.
      if (want.form == Form::RecordOrText && entry.key->value == "require")
        scalar(*entry.value, want.entry);
      else if (want.form == Form::Dictionary)
        this->node(*entry.value, *want.element);
      else if (const auto* key = want.map ? model::findKey(*want.map, entry.key->value) : nullptr)
        this->node(*entry.value, key->shape);
  }

private:
  void scalar(const yaml::Node& node, model::GrammarEntry entry) {
    std::string_view text = sources_.text(node.span);
    if (node.kind != yaml::Node::Kind::Scalar || node.aliasSpan.valid() || node.invalid ||
        node.style != yaml::Style::Plain || entry == model::GrammarEntry::None ||
        text.find('\n') != std::string_view::npos)
      return;
    if (auto better = expressions_.spaced(text, entry); better && *better != text)
      out_.emplace(node.span.begin, std::move(*better));
  }

  const SourceManager& sources_;
  ExprParser& expressions_;
  yaml::Rewritten& out_;
};

std::string withoutBlanks(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out),
               [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
  return out;
}

bool isSameNode(const yaml::Node& a, const yaml::Node& b) {
  if (a.kind != b.kind || a.style != b.style || a.flow != b.flow || a.type != b.type ||
      a.items.size() != b.items.size() || a.entries.size() != b.entries.size() ||
      a.aliasSpan.valid() != b.aliasSpan.valid())
    return false;
  if (a.value != b.value &&
      (a.style != yaml::Style::Plain || withoutBlanks(a.value) != withoutBlanks(b.value)))
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!isSameNode(*a.items[i], *b.items[i]))
      return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i)
    if (!isSameNode(*a.entries[i].key, *b.entries[i].key) ||
        !isSameNode(*a.entries[i].value, *b.entries[i].value))
      return false;
  return true;
}

} // namespace

std::optional<std::vector<Edit>> format(const SourceManager& sources, const yaml::Tree& tree,
                                        const Limits& limits, ExprParser& expressions) {
  yaml::Rewritten rewritten;
  Spacing spacing(sources, expressions, rewritten);
  for (const yaml::YamlDocument& document : tree.documents)
    spacing.node(*document.root, Shape::Contract);
  return yaml::layOut(sources, tree, rewritten, limits);
}

bool differInBlanksAlone(const SourceManager& sources, const yaml::Tree& before,
                         const yaml::Tree& after) {
  return withoutBlanks(sources.get(before.file).text) ==
             withoutBlanks(sources.get(after.file).text) &&
         std::equal(before.comments.begin(), before.comments.end(), after.comments.begin(),
                    after.comments.end(),
                    [](const yaml::Comment& a, const yaml::Comment& b) {
                      return a.ownLine == b.ownLine;
                    }) &&
         std::equal(before.documents.begin(), before.documents.end(), after.documents.begin(),
                    after.documents.end(),
                    [](const yaml::YamlDocument& a, const yaml::YamlDocument& b) {
                      return a.complete == b.complete && isSameNode(*a.root, *b.root);
                    });
}

} // namespace tikc::expr
