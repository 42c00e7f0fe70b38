#include "ide/Folds.h"

#include <span>

namespace tikc::ide {

using yaml::Node;

namespace {

class Folds {
public:
  explicit Folds(std::string_view text) : text_(text) {}

  std::vector<FoldableRange> take() { return std::move(out_); }

  void comments(std::span<const yaml::Comment> comments) {
    for (std::size_t i = 0; i < comments.size();) {
      std::size_t last = i;
      while (last + 1 < comments.size() && comments[i].ownLine && comments[last + 1].ownLine &&
             isNextLine(comments[last].span.begin, comments[last + 1].span.begin))
        ++last;
      out_.push_back(
          {FoldableRange::Kind::Comment, comments[i].span.begin, comments[last].span.end});
      i = last + 1;
    }
  }

  void node(const Node& node, std::uint32_t head) {
    if (node.aliasSpan.valid() || node.span.end <= node.span.begin)
      return;
    if (node.flow)
      out_.push_back({FoldableRange::Kind::Brackets, node.span.begin + 1, node.span.end - 1});
    else
      out_.push_back({FoldableRange::Kind::Block, head, node.span.end});
    for (const auto& item : node.items)
      this->node(*item, item->span.begin);
    for (const yaml::Entry& entry : node.entries)
      this->node(*entry.value,
                 entry.key->aliasSpan.valid() ? entry.key->aliasSpan.begin : entry.key->span.begin);
  }

private:
  /// As editors count lines: a lone CR ends one, too.
  bool isNextLine(std::uint32_t above, std::uint32_t below) const {
    std::size_t ends = 0;
    for (std::uint32_t i = above; i < below; ++i)
      if (text_[i] == '\n' || (text_[i] == '\r' && text_.substr(i + 1, 1) != "\n"))
        ++ends;
    return ends == 1;
  }

  std::string_view text_;
  std::vector<FoldableRange> out_;
};

} // namespace

std::vector<FoldableRange> foldsIn(std::string_view text, const yaml::Tree& tree) {
  Folds folds(text);
  folds.comments(tree.comments);
  for (const yaml::YamlDocument& document : tree.documents) {
    const Node& root = *document.root;
    if (tree.documents.size() > 1 || root.flow)
      folds.node(root, root.span.begin);
    else
      for (const yaml::Entry& entry : root.entries)
        folds.node(*entry.value, entry.key->span.begin);
  }
  return folds.take();
}

} // namespace tikc::ide
