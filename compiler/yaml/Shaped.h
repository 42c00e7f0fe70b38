#pragma once

#include "model/Keys.h"
#include "yaml/Tree.h"

namespace tikc::yaml {

/// A value with its shape in the language's tables.
struct Shaped {
  const Node& node;
  const model::ShapeInfo& shape;
  const Entry* entry = nullptr;        // the nearest entry that contains it
  const model::KeyInfo* key = nullptr; // the nearest word of the language above it
};

/// Calls `visit` with each value of a contract, outer values first. Values under an unknown key
/// have no shape and are skipped.
template <typename Visit> void forEachShaped(const Shaped& at, const Visit& visit) {
  const model::ShapeInfo& shape =
      at.node.kind == Node::Kind::Scalar && at.shape.form == model::Form::OneOrMore
          ? model::info(*at.shape.element)
          : at.shape;
  visit(Shaped{at.node, shape, at.entry, at.key});
  if (shape.element)
    for (const auto& item : at.node.items)
      forEachShaped(Shaped{*item, model::info(*shape.element), at.entry, at.key}, visit);
  for (const Entry& entry : at.node.entries) {
    if (shape.form == model::Form::Dictionary)
      forEachShaped(Shaped{*entry.value, model::info(*shape.element), &entry, at.key}, visit);
    else if (const auto* key = shape.map ? model::findKey(*shape.map, entry.key->value) : nullptr)
      forEachShaped(Shaped{*entry.value, model::info(key->shape), &entry, key}, visit);
  }
}

template <typename Visit> void forEachShaped(const YamlDocument& document, const Visit& visit) {
  forEachShaped(Shaped{*document.root, model::info(model::Shape::Contract)}, visit);
}

} // namespace tikc::yaml
