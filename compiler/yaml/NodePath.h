#pragma once

#include "model/Keys.h"
#include "yaml/Tree.h"

#include <optional>
#include <vector>

namespace tikc::yaml {

/// A node around a place, and the shape that the language expects.
struct NodeStep {
  const Node* node = nullptr;
  const Entry* entry = nullptr; // the entry of this value; null for a document's root and for items
  std::optional<model::Shape> shape; // nothing if the language has no such key
};

/// The nodes around a place, from the document's root.
struct NodePath {
  const YamlDocument* document = nullptr;
  std::vector<NodeStep> steps;
  const Entry* key = nullptr; // the entry of the last node, if the place is on its key

  const Node& last() const { return *steps.back().node; }
  std::optional<model::Shape> shape() const { return steps.back().shape; }
  /// Returns the section that contains the place, such as `numerical`; empty at the top.
  std::string_view section() const;
  /// Returns the row of the key at the place, or of the key whose value contains it; null for a
  /// name that the author chose.
  const model::KeyInfo* keyInfo() const;
};

/// Returns nothing between documents. A place in an alias belongs to the alias; one in the anchored
/// text, to the anchor.
std::optional<NodePath> pathAt(const Tree& tree, std::uint32_t offset,
                               model::Shape root = model::Shape::Contract);

/// Returns the node's place in the file; copies for an alias have the alias's.
inline const Span& placeOf(const Node& node) {
  return node.aliasSpan.valid() ? node.aliasSpan : node.span;
}

/// Returns the shape that the language expects of an entry's value.
std::optional<model::Shape> shapeOf(std::optional<model::Shape> map, const Entry& entry);

} // namespace tikc::yaml
