#include "sema/Mentions.h"

#include "expr/ExprLexer.h"
#include "expr/ExprReport.h"
#include "sema/Extends.h"
#include "yaml/Shaped.h"

#include <algorithm>
#include <tuple>

namespace tikc::sema {

using expr::ExprText;
using expr::ExprToken;
using expr::TokenKind;
using model::CallPlace;
using model::Form;
using model::ParameterInfo;
using model::ParameterKind;
using model::Shape;
using yaml::Node;
using Role = Mention::Role;

namespace {

NameSpace definedBy(Shape dictionary) {
  switch (dictionary) {
  case Shape::Kernels:
    return NameSpace::Kernel;
  case Shape::Slices:
    return NameSpace::Slice;
  case Shape::Labels:
    return NameSpace::Label;
  default:
    return NameSpace::Statement;
  }
}

/// The words of one expression that name something.
class ExprMentions {
public:
  ExprMentions(const SourceManager& sources, const Node& scalar, const ExprText& expr,
               std::vector<Mention>& out)
      : place_(sources, scalar), expr_(expr), out_(out) {}

  /// on math, code
  void scopes() {
    for (std::size_t i = 0; i < expr_.tokens.size(); ++i) {
      if (expr_.kind(i) != TokenKind::On)
        continue;
      while (expr_.kind(i + 1) == TokenKind::Name) {
        use(NameSpace::Slice, expr_.tokens[i + 1]);
        i += 2;
        if (expr_.kind(i) != TokenKind::Comma)
          break;
      }
    }
  }

  /// task == "math" and lang in {"en", de}
  void labels() {
    bool inSet = false;
    std::string label; // whose value may come
    for (std::size_t i = 0; i < expr_.tokens.size(); ++i) {
      TokenKind kind = expr_.kind(i), before = i > 0 ? expr_.kind(i - 1) : TokenKind::End;
      if (kind == TokenKind::LeftBrace || kind == TokenKind::RightBrace)
        inSet = kind == TokenKind::LeftBrace;
      bool value = !label.empty() && (inSet || expr::isComparator(before));
      if (kind == TokenKind::String && value)
        valueOf(label, expr_.tokens[i]);
      if (kind != TokenKind::Name || before == TokenKind::Number || before == TokenKind::Per ||
          expr_.kind(i + 1) == TokenKind::LeftParen)
        continue;
      if (inSet) {
        if (value)
          valueOf(label, expr_.tokens[i]);
        continue;
      }
      label.clear();
      if (model::findField(expr_.of(i)))
        continue;
      label = expr_.of(i);
      use(NameSpace::Label, expr_.tokens[i]);
    }
  }

  /// violated(kl) for 2 windows, route(safe, probe=1%)
  void calls(CallPlace place) {
    for (std::size_t i = 0; i + 1 < expr_.tokens.size(); ++i)
      if (expr_.kind(i) == TokenKind::Name && expr_.kind(i + 1) == TokenKind::LeftParen)
        if (const auto* call = model::findCall(place, expr_.of(i)))
          arguments(i + 2, model::parameters(call->id));
  }

private:
  /// Up to the closing parenthesis; the text may end before it.
  void arguments(std::size_t at, std::span<const ParameterInfo> parameters) {
    std::size_t next = 0, depth = 0;
    for (bool begins = true; expr_.kind(at) != TokenKind::End; ++at) {
      if (begins && expr_.kind(at) == TokenKind::Name && expr_.kind(at + 1) == TokenKind::Assign) {
        argument(at + 2, find(parameters, expr_.of(at)));
      } else if (begins) {
        argument(at, next < parameters.size() ? &parameters[next] : nullptr);
        ++next;
      }
      TokenKind kind = expr_.kind(at);
      begins = depth == 0 && kind == TokenKind::Comma;
      if (expr::isCloser(kind) && depth-- == 0)
        return;
      depth += expr::isOpener(kind) ? 1 : 0;
    }
  }

  void argument(std::size_t at, const ParameterInfo* parameter) {
    if (!parameter || expr_.kind(at) != TokenKind::Name)
      return;
    if (parameter->kind == ParameterKind::Kernel)
      use(NameSpace::Kernel, expr_.tokens[at]);
    else if (parameter->kind == ParameterKind::Clause)
      use(NameSpace::Statement, expr_.tokens[at]);
  }

  static const ParameterInfo* find(std::span<const ParameterInfo> parameters,
                                   std::string_view name) {
    auto found = std::find_if(parameters.begin(), parameters.end(),
                              [&](const ParameterInfo& row) { return row.name == name; });
    return found == parameters.end() ? nullptr : &*found;
  }

  void use(NameSpace space, const ExprToken& token) {
    out_.push_back({space,
                    Role::Use,
                    std::string(expr_.of(token)),
                    {},
                    {},
                    place_.span(token.begin, token.end),
                    {}});
  }

  void valueOf(const std::string& label, const ExprToken& token) {
    bool quoted = token.kind == TokenKind::String;
    std::uint32_t quote = quoted ? 1 : 0;
    out_.push_back({NameSpace::LabelValue,
                    Role::Use,
                    quoted ? expr::unescape(expr_.of(token)) : std::string(expr_.of(token)),
                    label,
                    {},
                    place_.span(token.begin + quote, token.end - quote),
                    {}});
  }

  expr::ExprPlace place_;
  const ExprText& expr_;
  std::vector<Mention>& out_;
};

class Gatherer {
public:
  explicit Gatherer(const SourceManager& sources) : sources_(sources) {}

  void visit(const yaml::Shaped& at) {
    const Node& node = at.node;
    if (at.shape.form == Form::Dictionary) {
      for (const yaml::Entry& entry : node.entries)
        add(definedBy(at.shape.shape), entry.value->isNull() ? Role::Removal : Role::Definition,
            *entry.key, entry.span, at.key ? at.key->key : "");
    } else if (at.shape.shape == Shape::LabelValues) {
      for (const auto& item : node.items)
        add(NameSpace::LabelValue, Role::Definition, *item, item->span, "", at.entry->key->value);
    } else if (at.shape.shape == Shape::Identifier) {
      // The lists of slices are called so everywhere; all other names in facts are of kernels.
      add(at.key->key == "slices" ? NameSpace::Slice : NameSpace::Kernel, Role::Use, node, {});
    } else if (at.shape.shape == Shape::ContractName) {
      add(NameSpace::Contract, Role::Definition, node, at.entry->span);
    } else if (at.key && at.key->key == "extends") {
      parent(node);
    } else if (node.kind == Node::Kind::Scalar && !node.value.empty()) {
      expression(node, at.shape);
    }
  }

  std::vector<Mention> take() {
    auto place = [](const Mention& each) { return std::tuple(each.span, each.space, each.role); };
    std::sort(out_.begin(), out_.end(),
              [&](const Mention& a, const Mention& b) { return place(a) < place(b); });
    auto same = [&](const Mention& a, const Mention& b) { return place(a) == place(b); };
    out_.erase(std::unique(out_.begin(), out_.end(), same), out_.end());
    return std::move(out_);
  }

private:
  void add(NameSpace space, Role role, const Node& scalar, const Span& whole,
           std::string_view section = {}, std::string of = {}) {
    if (scalar.kind != Node::Kind::Scalar || scalar.value.empty())
      return;
    Span span =
        expr::ExprPlace(sources_, scalar).span(0, static_cast<std::uint32_t>(scalar.value.size()));
    out_.push_back({space, role, scalar.value, std::move(of), section, span, whole});
  }

  void parent(const Node& node) {
    if (node.kind != Node::Kind::Scalar)
      return;
    ParentName parent = splitParent(node.value);
    auto size = static_cast<std::uint32_t>(node.value.size());
    auto begin = parent.contract ? static_cast<std::uint32_t>(parent.file.size()) + 1 : 0;
    out_.push_back({NameSpace::Contract, Role::Use, std::string(parent.contract.value_or("")),
                    std::string(parent.file), "", expr::ExprPlace(sources_, node).span(begin, size),
                    node.span});
  }

  void expression(const Node& node, const model::ShapeInfo& shape) {
    if (shape.entry == model::GrammarEntry::None || shape.entry == model::GrammarEntry::Quantity)
      return;
    ExprText expr = expr::cut(node.value);
    ExprMentions in(sources_, node, expr, out_);
    if (shape.entry == model::GrammarEntry::Requirement)
      in.scopes();
    else if (shape.entry == model::GrammarEntry::Predicate)
      in.labels();
    else if (shape.entry == model::GrammarEntry::Trigger)
      in.calls(CallPlace::State);
    else if (shape.shape == Shape::Action)
      in.calls(CallPlace::Action);
  }

  const SourceManager& sources_;
  std::vector<Mention> out_;
};

} // namespace

std::vector<Mention> mentionsIn(const SourceManager& sources, const yaml::YamlDocument& document) {
  Gatherer gatherer(sources);
  yaml::forEachShaped(document, [&](const yaml::Shaped& at) { gatherer.visit(at); });
  return gatherer.take();
}

} // namespace tikc::sema
