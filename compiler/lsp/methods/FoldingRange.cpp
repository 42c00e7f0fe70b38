#include "lsp/Methods.h"
#include "lsp/Params.h"

#include <set>

namespace tikc::lsp {

using syntax::Node;

namespace {

/// Lines that a client may hide behind their first one.
class Folds {
public:
  Folds(const Session& session, const Target& target)
      : text_(target.document->text), lines_(text_), encoding_(session.documents.encoding()),
        linesOnly_(session.client.foldsLinesOnly) {}

  json::Array take() { return std::move(out_); }

  void comments(std::span<const syntax::Comment> comments) {
    for (std::size_t i = 0; i < comments.size();) {
      std::size_t last = i;
      while (last + 1 < comments.size() && comments[i].ownLine && comments[last + 1].ownLine &&
             line(comments[last + 1].span.begin) == line(comments[last].span.begin) + 1)
        ++last;
      fold(comments[i].span.begin, comments[last].span.end, "comment");
      i = last + 1;
    }
  }

  void node(const Node& node, std::uint32_t head) {
    if (node.aliasSpan.valid() || node.span.end <= node.span.begin)
      return;
    if (node.flow)
      flow(node);
    else
      fold(head, node.span.end);
    for (const auto& item : node.items)
      this->node(*item, item->span.begin);
    for (const syntax::Entry& entry : node.entries)
      this->node(*entry.value,
                 entry.key->aliasSpan.valid() ? entry.key->aliasSpan.begin : entry.key->span.begin);
  }

private:
  std::uint32_t line(std::uint32_t offset) const {
    return lines_.placeOf(text_, offset, encoding_).line;
  }

  /// Where only whole lines are hidden, that of the closing bracket stays.
  void flow(const Node& node) {
    Place begin = lines_.placeOf(text_, node.span.begin + 1, encoding_);
    Place end = lines_.placeOf(text_, node.span.end - 1, encoding_);
    if (linesOnly_) {
      add(begin.line, end.line > 0 ? end.line - 1 : 0, "");
      return;
    }
    if (!add(begin.line, end.line, ""))
      return;
    json::Object& added = *out_.back().getAsObject();
    added["startCharacter"] = begin.character;
    added["endCharacter"] = end.character;
  }

  void fold(std::uint32_t begin, std::uint32_t end, llvm::StringRef kind = "") {
    add(line(begin), line(end), kind);
  }

  bool add(std::uint32_t first, std::uint32_t last, llvm::StringRef kind) {
    if (last <= first || !known_.emplace(first, last).second)
      return false;
    json::Object out{{"startLine", first}, {"endLine", last}};
    if (!kind.empty())
      out["kind"] = kind;
    out_.push_back(std::move(out));
    return true;
  }

  const std::string& text_;
  Lines lines_;
  Encoding encoding_;
  bool linesOnly_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known_;
  json::Array out_;
};

} // namespace

llvm::Expected<json::Value> onFoldingRange(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return nullptr;
  const syntax::Tree& tree = *target->analysis->checked.tree;
  Folds folds(session, *target);
  folds.comments(tree.comments);
  for (const syntax::Document& document : tree.documents) {
    const Node& root = *document.root;
    if (tree.documents.size() > 1 || root.flow)
      folds.node(root, root.span.begin);
    else
      for (const syntax::Entry& entry : root.entries)
        folds.node(*entry.value, entry.key->span.begin);
  }
  return json::Value(folds.take());
}

} // namespace tikc::lsp
