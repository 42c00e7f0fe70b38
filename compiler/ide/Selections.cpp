#include "ide/Selections.h"

#include "expr/ExprLexer.h"
#include "expr/ExprParts.h"
#include "expr/ExprReport.h"
#include "yaml/Shaped.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::ide {

using yaml::Node;

namespace {

class SelectionFinder {
public:
  SelectionFinder(const Analysis& analysis, std::uint32_t offset)
      : analysis_(analysis), offset_(offset) {
    auto size = static_cast<std::uint32_t>(sources().get(analysis.file).text.size());
    spans.push_back({analysis.file, 0, size});
    const yaml::Tree& tree = *analysis.checked.tree;
    for (const yaml::Comment& comment : tree.comments)
      if (touches(comment.span)) {
        add(comment.span);
        return;
      }
    for (const yaml::YamlDocument& document : tree.documents)
      if (touches(document.root->span)) {
        yaml::forEachShaped(document, [&](const yaml::Shaped& at) { value(at); });
        return;
      }
  }

  std::vector<Span> spans;

private:
  const SourceManager& sources() const { return *analysis_.sources; }
  bool touches(const Span& span) const { return span.begin <= offset_ && offset_ <= span.end; }

  void add(const Span& span) {
    if (touches(span) && spans.back().contains(span) && spans.back() != span && !span.empty())
      spans.push_back(span);
  }

  void value(const yaml::Shaped& at) {
    const Node& node = at.node;
    if (node.aliasSpan.valid())
      return add(node.aliasSpan);
    if (!touches(node.span))
      return;
    add(node.span);
    for (const yaml::Entry& entry : node.entries)
      if (touches(entry.span) && !entry.key->aliasSpan.valid()) {
        add(entry.span);
        add(entry.key->span);
        inner(*entry.key);
      }
    if (node.kind != Node::Kind::Scalar)
      return;
    inner(node);
    if (at.shape.entry != model::GrammarEntry::None)
      expression(node);
  }

  /// Without its quotes.
  void inner(const Node& scalar) {
    if (scalar.kind == Node::Kind::Scalar)
      add(expr::ExprPlace(sources(), scalar)
              .span(0, static_cast<std::uint32_t>(scalar.value.size())));
  }

  void expression(const Node& node) {
    expr::ExprText expr = expr::cut(node.value);
    expr::ExprPlace place(sources(), node);
    std::vector<Span> parts;
    for (auto [first, last] : expr::partsOf(expr))
      parts.push_back(place.span(expr.tokens[first].begin, expr.tokens[last].end));
    // Where two meet at the offset, the word counts and not the sign.
    std::stable_sort(parts.begin(), parts.end(), [&](const Span& a, const Span& b) {
      return a.size() != b.size() ? a.size() > b.size() : isWord(a) && !isWord(b);
    });
    for (const Span& part : parts)
      add(part);
  }

  bool isWord(const Span& span) const {
    char c = sources().text(span).front();
    return c == '_' || llvm::isAlnum(c);
  }

  const Analysis& analysis_;
  std::uint32_t offset_;
};

} // namespace

std::vector<Span> selectionsAt(const Analysis& analysis, std::uint32_t offset) {
  return SelectionFinder(analysis, offset).spans;
}

} // namespace tikc::ide
