#pragma once

#include "model/Keys.h"
#include "syntax/Tree.h"

#include <optional>
#include <vector>

namespace tikc::syntax {

/// A node that encloses a place, and what the language wants there.
struct NodeStep {
  const Node* node = nullptr;
  const Entry* entry = nullptr;      // whose value it is; null for a document's root and items
  std::optional<model::Shape> shape; // nothing where the language has no such key
};

/// The nodes around a place, the document's root first.
struct NodePath {
  const YamlDocument* document = nullptr;
  std::vector<NodeStep> steps;
  const Entry* key = nullptr; // the entry of the last node on whose key the place is

  const Node& last() const { return *steps.back().node; }
  std::optional<model::Shape> shape() const { return steps.back().shape; }
  /// The key of the contract below which the place lies: `numerical`; empty at the top.
  std::string_view section() const;
  /// The row of the key that the place is on, or whose value it is in; null for a name that the
  /// author chose.
  const model::KeyInfo* keyInfo() const;
};

/// Nothing between documents. A place behind an alias is at the alias, one in the text that it
/// stands for is there.
std::optional<NodePath> pathAt(const Tree& tree, std::uint32_t offset,
                               model::Shape root = model::Shape::Contract);

/// Where the file has a node: copies for an alias have the spans of what they are copied from.
inline const Span& placeOf(const Node& node) {
  return node.aliasSpan.valid() ? node.aliasSpan : node.span;
}

/// What the language wants of an entry's value.
std::optional<model::Shape> shapeOf(std::optional<model::Shape> map, const Entry& entry);

} // namespace tikc::syntax
