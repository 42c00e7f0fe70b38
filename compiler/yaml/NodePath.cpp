#include "yaml/NodePath.h"

namespace tikc::yaml {

using model::Form;
using model::Shape;

namespace {

bool touches(const Span& span, std::uint32_t offset) {
  return span.begin <= offset && offset <= span.end;
}

const model::ShapeInfo* infoOf(std::optional<Shape> shape) {
  return shape ? &model::info(*shape) : nullptr;
}

void descend(NodePath& path, std::uint32_t offset) {
  const Node& node = path.last();
  if (node.aliasSpan.valid())
    return;
  std::optional<Shape> shape = path.shape();
  for (const Entry& entry : node.entries) {
    if (touches(entry.key->span, offset)) {
      path.key = &entry;
      return;
    }
    if (touches(placeOf(*entry.value), offset)) {
      path.steps.push_back({entry.value.get(), &entry, shapeOf(shape, entry)});
      return descend(path, offset);
    }
  }
  const model::ShapeInfo* want = infoOf(shape);
  for (const auto& item : node.items)
    if (touches(placeOf(*item), offset)) {
      path.steps.push_back({item.get(), nullptr, want ? want->element : std::nullopt});
      return descend(path, offset);
    }
}

} // namespace

std::optional<Shape> shapeOf(std::optional<Shape> map, const Entry& entry) {
  const model::ShapeInfo* want = infoOf(map);
  if (!want)
    return std::nullopt;
  if (want->form == Form::Dictionary)
    return want->element;
  const model::KeyInfo* row = want->map ? model::findKey(*want->map, entry.key->value) : nullptr;
  return row ? std::optional(row->shape) : std::nullopt;
}

std::optional<NodePath> pathAt(const Tree& tree, std::uint32_t offset, Shape root) {
  for (const YamlDocument& document : tree.documents) {
    if (!touches(document.root->span, offset))
      continue;
    NodePath path;
    path.document = &document;
    path.steps.push_back({document.root.get(), nullptr, root});
    descend(path, offset);
    return path;
  }
  return std::nullopt;
}

std::string_view NodePath::section() const {
  if (steps.size() > 1 && steps[1].entry)
    return steps[1].entry->key->value;
  return key ? std::string_view(key->key->value) : std::string_view();
}

const model::KeyInfo* NodePath::keyInfo() const {
  auto rowOf = [](std::optional<Shape> map, const Entry& entry) -> const model::KeyInfo* {
    const model::ShapeInfo* want = infoOf(map);
    return want && want->map ? model::findKey(*want->map, entry.key->value) : nullptr;
  };
  if (key)
    return rowOf(shape(), *key);
  for (std::size_t i = steps.size(); i-- > 1;)
    if (steps[i].entry)
      return rowOf(steps[i - 1].shape, *steps[i].entry);
  return nullptr;
}

} // namespace tikc::yaml
