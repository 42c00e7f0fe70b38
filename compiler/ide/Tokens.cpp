#include "ide/Tokens.h"

#include "expr/ExprLexer.h"
#include "expr/ExprReport.h"
#include "model/Metrics.h"
#include "support/Check.h"
#include "support/Names.h"
#include "yaml/Shaped.h"

#include <algorithm>
#include <unordered_map>

namespace tikc::ide {

using expr::ExprText;
using expr::TokenKind;
using sema::Mention;
using sema::NameSpace;
using yaml::Node;

namespace {

TokenType typeOf(const Mention& mention) {
  switch (mention.space) {
  case NameSpace::Contract:
    return TokenType::Namespace;
  case NameSpace::Kernel:
    return TokenType::Class;
  case NameSpace::Label:
    return TokenType::Enum;
  case NameSpace::Slice:
  case NameSpace::LabelValue:
    return TokenType::EnumMember;
  case NameSpace::Statement:
    return mention.section == "escalation" ? TokenType::Event : TokenType::Variable;
  }
  TIKC_CHECK(false, "each space of names has its case");
}

class TokenPainter {
public:
  TokenPainter(const Outline& outline, const Analysis& analysis) : analysis_(analysis) {
    for (const Outline::Contract& contract : outline.contracts)
      for (const Mention& mention : contract.mentions)
        names_.emplace(mention.span.begin, &mention);
  }

  std::vector<SemanticToken> paint() {
    const yaml::Tree& tree = *analysis_.checked.tree;
    for (const yaml::Comment& comment : tree.comments)
      this->comment(comment.span);
    for (const Span& anchor : tree.anchors)
      add(anchor, TokenType::Macro);
    for (const yaml::YamlDocument& document : tree.documents)
      yaml::forEachShaped(document, [&](const yaml::Shaped& at) { value(at); });
    std::stable_sort(out_.begin(), out_.end(), [](const SemanticToken& a, const SemanticToken& b) {
      return a.begin < b.begin;
    });
    return std::move(out_);
  }

private:
  void add(std::uint32_t begin, std::uint32_t end, TokenType type,
           TokenModifier modifier = TokenModifier::None) {
    if (begin < end)
      out_.push_back({begin, end, type, modifier});
  }
  void add(const Span& span, TokenType type, TokenModifier modifier = TokenModifier::None) {
    add(span.begin, span.end, type, modifier);
  }

  /// Codes stand out of a comment: they are what is suppressed.
  void comment(const Span& span) {
    std::string_view text = analysis_.sources->text(span);
    std::size_t done = 0;
    for (std::size_t at = text.find("TK"); at != std::string_view::npos;
         at = text.find("TK", at + 1)) {
      std::string_view word = text.substr(at, 6);
      if (!diag::findCode(word))
        continue;
      auto begin = span.begin + static_cast<std::uint32_t>(at);
      add(span.begin + static_cast<std::uint32_t>(done), begin, TokenType::Comment);
      add(begin, begin + 6, TokenType::Macro);
      done = at + word.size();
    }
    add(span.begin + static_cast<std::uint32_t>(done), span.end, TokenType::Comment);
  }

  bool name(const Span& span) {
    auto match = names_.find(span.begin);
    if (match == names_.end())
      return false;
    const Mention& mention = *match->second;
    if (sema::reservedBecause(mention.space, mention.name))
      add(span, TokenType::Keyword);
    else
      add(mention.span, typeOf(mention),
          mention.role == Mention::Role::Definition ? TokenModifier::Definition
                                                    : TokenModifier::None);
    return true;
  }

  void value(const yaml::Shaped& at) {
    const Node& node = at.node;
    if (node.aliasSpan.valid())
      return;
    for (const yaml::Entry& entry : node.entries)
      if (const Node& key = *entry.key; !key.aliasSpan.valid() && !named(key))
        add(key.span, TokenType::Property);
    if (!at.shape.element) // [0, 1] is a value by itself
      for (const auto& item : node.items)
        if (item->kind == Node::Kind::Scalar && !item->aliasSpan.valid())
          constant(*item);
    if (node.kind != Node::Kind::Scalar || node.style == yaml::Style::Empty || named(node))
      return;
    if (at.shape.entry != model::GrammarEntry::None)
      return expression(node, at.shape.entry);
    auto words = splitWords(at.shape.words);
    bool isText = node.type == yaml::ScalarType::String;
    if (isText && std::find(words.begin(), words.end(), node.value) != words.end())
      add(node.span, TokenType::EnumMember, TokenModifier::Language);
    else if (isText && at.key && at.key->key == "extends")
      parent(node);
    else
      constant(node);
  }

  void constant(const Node& node) {
    if (node.type == yaml::ScalarType::Int || node.type == yaml::ScalarType::Float)
      return add(node.span, TokenType::Number);
    if (node.type != yaml::ScalarType::String)
      return add(node.span, TokenType::Keyword);
    add(node.span, TokenType::String);
  }

  /// Whether the whole scalar is a name.
  bool named(const Node& scalar) {
    if (scalar.kind != Node::Kind::Scalar || scalar.value.empty())
      return false;
    std::uint32_t quote =
        scalar.style == yaml::Style::SingleQuoted || scalar.style == yaml::Style::DoubleQuoted ? 1
                                                                                               : 0;
    auto match = names_.find(scalar.span.begin + quote);
    return match != names_.end() && match->second->name == scalar.value &&
           name(match->second->span);
  }

  void parent(const Node& node) {
    std::string_view text = analysis_.sources->text(node.span);
    auto hash = static_cast<std::uint32_t>(std::min(text.find('#'), text.size()));
    add(node.span.begin, node.span.begin + hash, TokenType::String);
    if (hash < text.size())
      add(node.span.begin + hash, node.span.end, TokenType::Namespace);
  }

  void expression(const Node& node, model::GrammarEntry entry) {
    ExprText expr = expr::cut(node.value);
    expr::ExprPlace place(*analysis_.sources, node);
    for (std::size_t i = 0; i < expr.tokens.size(); ++i) {
      Span span = place.span(expr.tokens[i].begin, expr.tokens[i].end);
      switch (TokenKind kind = expr.kind(i)) {
      case TokenKind::Number:
        add(span, TokenType::Number);
        break;
      case TokenKind::Percent:
        add(span, TokenType::Type, TokenModifier::Language);
        break;
      case TokenKind::String:
      case TokenKind::Unclosed:
        add(span, TokenType::String);
        break;
      case TokenKind::Name:
        if (!name(span))
          word(expr, i, span, entry);
        break;
      default:
        if (expr::isKeyword(kind))
          add(span, TokenType::Keyword);
        else if (expr::isComparator(kind) || kind == TokenKind::Assign || kind == TokenKind::Minus)
          add(span, TokenType::Operator);
      }
    }
  }

  /// A word of an expression that is no name of the contract's.
  void word(const ExprText& expr, std::size_t i, const Span& span, model::GrammarEntry entry) {
    std::string_view text = expr.of(i);
    TokenKind before = i > 0 ? expr.kind(i - 1) : TokenKind::End, after = expr.kind(i + 1);
    bool isMeasured = entry == model::GrammarEntry::Requirement || expr.innermostOpener(i) < i;
    if (before == TokenKind::Number || before == TokenKind::Per)
      add(span, TokenType::Type, TokenModifier::Language);
    else if (after == TokenKind::Assign)
      add(span, TokenType::Parameter);
    else if (entry == model::GrammarEntry::Predicate && model::findField(text))
      add(span, TokenType::Property, TokenModifier::Language);
    else if (isMeasured && (model::findMetric(text) || model::findClaim(text)))
      add(span, TokenType::Variable, TokenModifier::Language);
    else if (after == TokenKind::LeftParen || i == 0)
      add(span, TokenType::Function, TokenModifier::Language);
    else
      add(span, TokenType::EnumMember, TokenModifier::Language);
  }

  const Analysis& analysis_;
  std::unordered_map<std::uint32_t, const Mention*> names_;
  std::vector<SemanticToken> out_;
};

} // namespace

std::vector<SemanticToken> tokensOf(const Outline& outline, const Analysis& analysis,
                                    TextRange range) {
  std::vector<SemanticToken> out;
  std::uint32_t done = 0;
  for (SemanticToken token : TokenPainter(outline, analysis).paint()) {
    token.begin = std::max(token.begin, done); // broken text may be seen in two ways
    if (token.begin >= token.end || token.end <= range.begin || token.begin >= range.end)
      continue;
    out.push_back(token);
    done = token.end;
  }
  return out;
}

} // namespace tikc::ide
