#pragma once

#include "model/Contract.h"
#include "sema/CallAdvice.h"
#include "sema/Context.h"
#include "support/Utf8.h"
#include "yaml/Tree.h"

#include <optional>
#include <string_view>
#include <vector>

namespace tikc::sema {

/// Reads the values of one map. Absent and invalid values read as nothing.
class MapReader {
public:
  MapReader(FileContext& context, const yaml::Node& map) : context_(context), map_(map) {}

  const yaml::Node* get(std::string_view key) const {
    const yaml::Node* node = map_.kind == yaml::Node::Kind::Mapping ? map_.find(key) : nullptr;
    return node && !node->invalid ? node : nullptr;
  }
  MapReader in(const yaml::Node& map) const { return MapReader(context_, map); }
  FileContext& context() const { return context_; }

  std::optional<model::Text> text(std::string_view key) const {
    const yaml::Node* node = get(key);
    return node ? std::optional(model::Text{node->value, node->span}) : std::nullopt;
  }

  std::optional<model::Located<bool>> flag(std::string_view key) const {
    const yaml::Node* node = get(key);
    return node ? std::optional(model::Located<bool>{node->isTrue(), node->span}) : std::nullopt;
  }

  std::optional<Rational> decimal(const yaml::Node& node) const {
    auto value = parseCoreNumber(node.value, context_.limits);
    if (!value)
      context_.sink.report<diag::NumberNotFinite>(node.span, utf8::ticked(node.value));
    return value;
  }

  std::optional<model::Number> number(std::string_view key) const {
    const yaml::Node* node = get(key);
    auto value = node ? decimal(*node) : std::nullopt;
    return value ? std::optional(model::Number{*value, node->span}) : std::nullopt;
  }

  /// Reads a quantity; a share may be a bare number.
  std::optional<model::Amount> quantity(std::string_view key) const {
    const yaml::Node* node = get(key);
    if (!node)
      return std::nullopt;
    if (node->type == yaml::ScalarType::String)
      return context_.expressions.quantity(*node, context_.sink);
    auto value = decimal(*node);
    return value ? std::optional(model::Amount{*value, model::Unit::None, std::nullopt, node->span,
                                               node->span})
                 : std::nullopt;
  }

  std::optional<model::Number> share(std::string_view key) const {
    auto value = quantity(key);
    return value ? std::optional(model::Number{value->scaled(), value->span}) : std::nullopt;
  }

  std::optional<model::Range> range(std::string_view key) const {
    const yaml::Node* node = get(key);
    if (!node || node->items.size() != 2)
      return std::nullopt;
    auto low = decimal(*node->items[0]), high = decimal(*node->items[1]);
    return low && high ? std::optional(model::Range{*low, *high, node->span}) : std::nullopt;
  }

  std::vector<model::Name> names(std::string_view key) const {
    std::vector<model::Name> out;
    if (const yaml::Node* node = get(key))
      for (const auto& item : node->items)
        if (!item->invalid)
          out.push_back({item->value, item->span});
    return out;
  }

  std::optional<model::Name> name(std::string_view key) const {
    const yaml::Node* node = get(key);
    return node ? std::optional(model::Name{node->value, node->span}) : std::nullopt;
  }

  std::optional<model::Expr> call(const yaml::Node& scalar, model::CallPlace place) const {
    std::size_t before = context_.sink.size();
    auto expr = context_.expressions.call(scalar, context_.sink);
    if (!expr)
      adviseOnCall(context_, scalar, place, before);
    return expr;
  }

  /// Reads calls. Each keeps its tree, and is resolved later.
  std::vector<model::Call> calls(std::string_view key, model::CallPlace place) const {
    std::vector<model::Call> out;
    const yaml::Node* node = get(key);
    if (!node)
      return out;
    auto add = [&](const yaml::Node& scalar) {
      if (scalar.invalid)
        return;
      if (auto expr = call(scalar, place))
        out.push_back({model::CallId{}, std::move(*expr)});
    };
    if (node->kind == yaml::Node::Kind::Scalar)
      add(*node);
    else
      for (const auto& item : node->items)
        add(*item);
    return out;
  }

  /// Visits every entry, including invalid ones, so that their names are declared and references to
  /// them are not reported.
  template <typename Action> void forEachName(std::string_view key, Action action) const {
    const yaml::Node* node = get(key);
    if (!node || node->kind != yaml::Node::Kind::Mapping)
      return;
    for (const yaml::Entry& entry : node->entries)
      if (!entry.key->invalid)
        action(entry);
  }

  template <typename Action> void forEach(std::string_view key, Action action) const {
    forEachName(key, [&](const yaml::Entry& entry) {
      if (!entry.value->invalid)
        action(entry);
    });
  }

  std::size_t count(std::string_view key) const {
    const yaml::Node* node = get(key);
    return node ? node->entries.size() : 0;
  }

private:
  FileContext& context_;
  const yaml::Node& map_;
};

} // namespace tikc::sema
