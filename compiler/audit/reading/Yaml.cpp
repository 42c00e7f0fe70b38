#include "audit/reading/Reading.h"
#include "support/Rational.h"
#include "yaml/YamlReader.h"

#include <algorithm>
#include <utility>

namespace tikc::audit {
namespace {

using yaml::Node;

class YamlWalk {
public:
  YamlWalk(const Source& source, FileId file, FoundParts& out)
      : source_(source), file_(file), out_(out) {}

  /// As deep as the reader lets trees be.
  void walk(const Node& node, const std::string& path) {
    switch (node.kind) {
    case Node::Kind::Scalar:
      readTextValue(snippetOf(source_, file_, node), out_);
      break;
    case Node::Kind::Sequence:
      items(node, path);
      break;
    case Node::Kind::Mapping:
      for (const yaml::Entry& entry : node.entries)
        if (entry.key && entry.value && entry.key->kind == Node::Kind::Scalar)
          entryOf(entry, path.empty() ? entry.key->value : path + '.' + entry.key->value);
    }
  }

private:
  void entryOf(const yaml::Entry& entry, const std::string& path) {
    if (entry.value->kind == Node::Kind::Scalar) {
      const Snippet value = snippetOf(source_, file_, *entry.value);
      SetValue set = settingOf({path, file_, {}, entry.key->span.begin}, value);
      set.nameSpan = entry.key->span;
      out_.settings.push_back(std::move(set));
    } else if (isRange(path) && isPair(*entry.value)) {
      const auto& items = entry.value->items;
      SetValue set =
          pairOf({path, file_, {}, entry.key->span.begin}, snippetOf(source_, file_, *items[0]),
                 snippetOf(source_, file_, *items[1]));
      set.nameSpan = entry.key->span;
      out_.settings.push_back(std::move(set));
    }
    walk(*entry.value, path);
  }

  static bool isPair(const Node& node) {
    return node.kind == Node::Kind::Sequence && node.items.size() == 2 &&
           std::all_of(node.items.begin(), node.items.end(), [](const auto& item) {
             return item->kind == Node::Kind::Scalar && parseDecimal(item->value);
           });
  }

  /// A list may be the words of one command.
  void items(const Node& node, const std::string& path) {
    std::vector<Snippet> words;
    for (const auto& item : node.items)
      if (item->kind == Node::Kind::Scalar && item->value.find('\n') == std::string::npos)
        words.push_back(snippetOf(source_, file_, *item));
    readWords(words, out_);
    for (const auto& item : node.items)
      walk(*item, path);
  }

  const Source& source_;
  FileId file_;
  FoundParts& out_;
};

/// The items of a `kind: List` of Kubernetes; null for anything else.
const Node* itemsOfList(const Node& document) {
  if (document.kind != Node::Kind::Mapping)
    return nullptr;
  const Node* kind = document.find("kind");
  const Node* items = document.find("items");
  const bool isList = kind != nullptr && kind->kind == Node::Kind::Scalar && kind->value == "List";
  return isList && items != nullptr && items->kind == Node::Kind::Sequence ? items : nullptr;
}

} // namespace

void readTextValue(const Snippet& value, FoundParts& out) {
  const bool isScript = value.text.find_first_of(" \n") != std::string::npos;
  if (value.text.find("check_metrics") != std::string::npos ||
      (isScript && !isExpression(value.text)))
    readShell(value, out);
  else if (isExpression(value.text))
    out.asked.push_back({JudgingText::How::Expression, value, {}});
}

Snippet snippetOf(const Source& source, FileId file, const Node& scalar) {
  Snippet out{scalar.value, file, {}, 0};
  const yaml::ScalarMap map = yaml::scalarMap(source, scalar);
  const auto size = static_cast<std::uint32_t>(scalar.value.size());
  out.at.reserve(size + 1);
  for (std::uint32_t i = 0; i < size; ++i)
    out.at.push_back(map.map(file, i, i + 1).begin);
  out.at.push_back(size > 0 ? map.map(file, size - 1, size).end : scalar.span.begin);
  return out;
}

/// YAML of others may be what a contract must not be, such as merge keys and tags: what makes it
/// unreadable is told, and no more.
void readYamlFile(const SourceManager& sources, FileId file, const Limits& limits, diag::Sink& sink,
                  FoundParts& out) {
  diag::Sink own(limits);
  const yaml::Tree tree = yaml::readYaml(sources, file, limits, own);
  bool isWhole = true;
  for (const yaml::YamlDocument& document : tree.documents)
    isWhole = isWhole && document.complete;
  for (const diag::Diagnostic& diagnostic : own.take()) {
    const bool isOfFile = diag::info(diagnostic.code).id.starts_with("TK0");
    if (isOfFile || (!isWhole && diagnostic.severity == diag::Severity::Error))
      sink.repeat(diagnostic);
  }
  YamlWalk walk(sources.get(file), file, out);
  const Source& source = sources.get(file);
  auto read = [&](const Node& node) {
    if (!readArgo(source, file, node, out) && !readKayenta(source, file, node, out))
      walk.walk(node, {});
  };
  for (const yaml::YamlDocument& document : tree.documents)
    if (const Node* items = itemsOfList(*document.root))
      for (const auto& item : items->items)
        read(*item);
    else
      read(*document.root);
}

} // namespace tikc::audit
