#include "ide/Aliased.h"

namespace tikc::ide {

using yaml::Node;

namespace {

/// An alias marks all that it copied; the outermost is the anchored value itself.
const Node* aliasedIn(const Node& node, std::uint32_t offset) {
  if (node.aliasSpan.valid())
    return node.aliasSpan.begin <= offset && offset <= node.aliasSpan.end ? &node : nullptr;
  for (const auto& item : node.items)
    if (const Node* inner = aliasedIn(*item, offset))
      return inner;
  for (const yaml::Entry& entry : node.entries)
    for (const Node* each : {entry.key.get(), entry.value.get()})
      if (const Node* found = aliasedIn(*each, offset))
        return found;
  return nullptr;
}

} // namespace

const Node* aliasedAt(const yaml::Tree& tree, std::uint32_t offset) {
  for (const yaml::YamlDocument& document : tree.documents)
    if (const Node* inner = aliasedIn(*document.root, offset))
      return inner;
  return nullptr;
}

} // namespace tikc::ide
