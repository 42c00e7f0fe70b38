#pragma once

#include "expr/ExprParser.h"
#include "yaml/FitFixes.h"
#include "yaml/YamlReader.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::expr {

enum class Form { Requirement, Predicate, Trigger, Call, Quantity };
inline constexpr Form forms[] = {Form::Requirement, Form::Predicate, Form::Trigger, Form::Call,
                                 Form::Quantity};

/// What a form reads from a scalar, printed; with the tree it came from.
struct Reading {
  std::optional<model::Requirement> requirement;
  std::optional<model::Expr> expr;
  std::optional<model::Amount> quantity;
  std::vector<diag::Diagnostic> findings;

  explicit operator bool() const { return requirement || expr || quantity; }
  std::string printed() const {
    return requirement ? print(*requirement)
           : expr      ? print(*expr)
           : quantity  ? print(*quantity)
                       : "";
  }
};

/// Reads expressions from scalars made by hand or found in YAML files.
class ExprReader {
public:
  explicit ExprReader(Limits given = {}) : limits(given), parser(sources, limits) {}

  /// The file is nothing but the expression, as a plain scalar would hold it.
  Reading read(Form form, std::string_view text) {
    yaml::Node node;
    node.type = yaml::ScalarType::String;
    node.value = text;
    FileId textFile = sources.add("e", {}, std::string(text));
    node.span = {textFile, 0, static_cast<std::uint32_t>(text.size())};
    return read(form, node);
  }

  Reading read(Form form, const yaml::Node& node) {
    diag::Sink sink(limits);
    Reading out;
    switch (form) {
    case Form::Requirement:
      out.requirement = parser.requirement(node, sink);
      break;
    case Form::Predicate:
      out.expr = parser.predicate(node, sink);
      break;
    case Form::Trigger:
      out.expr = parser.trigger(node, sink);
      break;
    case Form::Call:
      out.expr = parser.call(node, sink);
      break;
    case Form::Quantity:
      out.quantity = parser.quantity(node, sink);
      break;
    }
    out.findings = sink.take();
    return out;
  }

  /// Reads the value of the key `k` of a YAML file.
  Reading readKey(Form form, std::string text) {
    diag::Sink sink(limits);
    file = sources.add("k.tikc.yaml", {}, std::move(text));
    tree = yaml::readYaml(sources, file, limits, sink);
    const yaml::Node* node = tree.documents.empty() ? nullptr : tree.documents[0].root->find("k");
    if (sink.hasErrors() || !node)
      return Reading{{}, {}, {}, sink.take()};
    Reading out = read(form, *node);
    yaml::fitFixes(sources, tree, out.findings);
    return out;
  }

  std::string_view text(const Span& span) const { return sources.text(span); }

  SourceManager sources;
  Limits limits;
  ExprParser parser;
  FileId file = FileId::None;
  yaml::Tree tree;
};

inline std::string applied(std::string text, const diag::Fix& fix) {
  for (auto edit = fix.edits.rbegin(); edit != fix.edits.rend(); ++edit)
    text.replace(edit->span.begin, edit->span.size(), edit->text);
  return text;
}

inline bool same(const model::Amount& a, const model::Amount& b) {
  return a.value == b.value && a.unit == b.unit && a.per == b.per;
}
inline bool same(const std::optional<model::Amount>& a, const std::optional<model::Amount>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

/// Equal but for the places.
inline bool same(const model::Expr& a, const model::Expr& b) {
  bool hasText = a.kind == model::Expr::Kind::Name || a.kind == model::Expr::Kind::Call ||
                 a.kind == model::Expr::Kind::String;
  if (a.kind != b.kind || a.keyword.text != b.keyword.text || (hasText && a.text != b.text) ||
      (a.kind == model::Expr::Kind::Compare && a.comparator != b.comparator) ||
      (a.kind == model::Expr::Kind::Quantity && !same(a.quantity, b.quantity)) ||
      a.arguments.size() != b.arguments.size())
    return false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i)
    if (!same(a.arguments[i], b.arguments[i]))
      return false;
  return true;
}

inline bool same(const model::Comparison& a, const model::Comparison& b) {
  bool sameRelation = a.upper ? same(a.upper, b.upper) : !b.upper && a.comparator == b.comparator;
  if (!sameRelation || !same(a.subject, b.subject) || !same(a.bound, b.bound) ||
      !same(a.over, b.over) || !same(a.confidence, b.confidence) || a.scope.kind != b.scope.kind ||
      a.scope.slices.size() != b.scope.slices.size())
    return false;
  for (std::size_t i = 0; i < a.scope.slices.size(); ++i)
    if (a.scope.slices[i].text != b.scope.slices[i].text)
      return false;
  return true;
}

inline bool same(const model::Requirement& a, const model::Requirement& b) {
  if (a.comparisons.size() != b.comparisons.size())
    return false;
  for (std::size_t i = 0; i < a.comparisons.size(); ++i)
    if (!same(a.comparisons[i], b.comparisons[i]))
      return false;
  return true;
}

} // namespace tikc::expr
