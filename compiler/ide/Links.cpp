#include "ide/Links.h"

#include "expr/ExprReport.h"
#include "sema/Extends.h"
#include "yaml/Shaped.h"

#include <algorithm>

namespace tikc::ide {

namespace fs = std::filesystem;
using yaml::Node;

namespace {

class Links {
public:
  Links(const Analysis& analysis, const fs::path& path)
      : analysis_(analysis), folder_(path.parent_path()), isFile_(!path.empty()) {}

  std::vector<DocumentLink> take() { return std::move(out_); }

  /// # yaml-language-server: $schema=…
  void comment(const Span& span) {
    constexpr std::string_view tool = "yaml-language-server:", key = "$schema=";
    std::string_view text = analysis_.sources->text(span);
    std::size_t at = text.find(key);
    if (at == std::string_view::npos || text.find(tool) > at)
      return;
    at += key.size();
    std::size_t end = std::min(text.find_first_of(" \t\r", at), text.size());
    Span place{span.file, span.begin + static_cast<std::uint32_t>(at),
               span.begin + static_cast<std::uint32_t>(end)};
    std::string_view target = text.substr(at, end - at);
    if (target.starts_with("https://") || target.starts_with("http://"))
      out_.push_back({place, {}, std::string(target), "The schema"});
    else
      addFile(place, target, "The schema");
  }

  void value(const yaml::Shaped& at) {
    const Node& node = at.node;
    if (node.kind != Node::Kind::Scalar || node.aliasSpan.valid() || !at.key)
      return;
    std::string_view file = node.value, tip = "The recorded data";
    if (at.key->map == model::Map::Top && at.key->key == "extends") {
      file = sema::splitParent(node.value).file;
      tip = "The parent";
    } else if (at.key->map != model::Map::Stage || at.key->key != "data") {
      return;
    }
    if (!file.empty())
      addFile(expr::ExprPlace(*analysis_.sources, node)
                  .span(0, static_cast<std::uint32_t>(file.size())),
              file, tip);
  }

private:
  /// Relative to the text that says it; a link to nothing helps nobody.
  void addFile(const Span& span, std::string_view name, std::string_view tip) {
    std::error_code error;
    fs::path path = isFile_ ? fs::canonical(folder_ / fs::path(name), error) : fs::path();
    if (!path.empty() && !error)
      out_.push_back({span, std::move(path), {}, tip});
  }

  const Analysis& analysis_;
  fs::path folder_;
  bool isFile_;
  std::vector<DocumentLink> out_;
};

} // namespace

std::vector<DocumentLink> linksIn(const Analysis& analysis, const fs::path& path) {
  Links links(analysis, path);
  const yaml::Tree& tree = *analysis.checked.tree;
  for (const yaml::Comment& comment : tree.comments)
    links.comment(comment.span);
  for (const yaml::YamlDocument& document : tree.documents)
    yaml::forEachShaped(document, [&](const yaml::Shaped& at) { links.value(at); });
  return links.take();
}

} // namespace tikc::ide
