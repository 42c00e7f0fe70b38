#include "lsp/SemanticTokens.h"

#include "metrics/Metrics.h"
#include "support/Check.h"
#include "support/Names.h"
#include "syntax/ExprLexer.h"
#include "syntax/ExprReport.h"
#include "syntax/Shaped.h"

#include <algorithm>
#include <unordered_map>

namespace tikc::lsp {

using sema::Mention;
using sema::NameSpace;
using syntax::ExprText;
using syntax::Node;
using syntax::TokenKind;

namespace {

constexpr std::string_view typeNames[] = {
    "namespace", "class", "enum",  "enumMember", "event",    "variable", "property", "parameter",
    "function",  "type",  "macro", "keyword",    "operator", "number",   "string",   "comment"};
constexpr std::string_view modifierNames[] = {"definition", "defaultLibrary"};
constexpr std::uint32_t unmodified = 0, ofDefinition = 1, ofLanguage = 2;

struct ColouredPart {
  std::uint32_t begin, end;
  TokenType type;
  std::uint32_t modifiers;
};

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

class Painter {
public:
  Painter(const Outline& outline, const Analysis& analysis) : analysis_(analysis) {
    for (const Outline::Contract& contract : outline.contracts)
      for (const Mention& mention : contract.mentions)
        names_.emplace(mention.span.begin, &mention);
  }

  std::vector<ColouredPart> paint() {
    const syntax::Tree& tree = *analysis_.checked.tree;
    for (const syntax::Comment& comment : tree.comments)
      this->comment(comment.span);
    for (const Span& anchor : tree.anchors)
      add(anchor, TokenType::Macro);
    for (const syntax::Document& document : tree.documents)
      syntax::forEachShaped(document, [&](const syntax::Shaped& at) { value(at); });
    std::stable_sort(out_.begin(), out_.end(), [](const ColouredPart& a, const ColouredPart& b) {
      return a.begin < b.begin;
    });
    return std::move(out_);
  }

private:
  void add(std::uint32_t begin, std::uint32_t end, TokenType type,
           std::uint32_t modifiers = unmodified) {
    if (begin < end)
      out_.push_back({begin, end, type, modifiers});
  }
  void add(const Span& span, TokenType type, std::uint32_t modifiers = unmodified) {
    add(span.begin, span.end, type, modifiers);
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
    auto found = names_.find(span.begin);
    if (found == names_.end())
      return false;
    const Mention& mention = *found->second;
    if (sema::reservedBecause(mention.space, mention.name))
      add(span, TokenType::Keyword);
    else
      add(mention.span, typeOf(mention),
          mention.role == Mention::Role::Definition ? ofDefinition : unmodified);
    return true;
  }

  void value(const syntax::Shaped& at) {
    const Node& node = at.node;
    if (node.aliasSpan.valid())
      return;
    for (const syntax::Entry& entry : node.entries)
      if (const Node& key = *entry.key; !key.aliasSpan.valid() && !named(key))
        add(key.span, TokenType::Property);
    if (!at.shape.element) // [0, 1] is a value by itself
      for (const auto& item : node.items)
        if (item->kind == Node::Kind::Scalar && !item->aliasSpan.valid())
          constant(*item);
    if (node.kind != Node::Kind::Scalar || node.style == syntax::Style::Empty || named(node))
      return;
    if (at.shape.entry != model::Entry::None)
      return expression(node, at.shape.entry);
    auto words = splitWords(at.shape.words);
    bool isText = node.type == syntax::ScalarType::String;
    if (isText && std::find(words.begin(), words.end(), node.value) != words.end())
      add(node.span, TokenType::EnumMember, ofLanguage);
    else if (isText && at.key && at.key->key == "extends")
      parent(node);
    else
      constant(node);
  }

  void constant(const Node& node) {
    if (node.type == syntax::ScalarType::Int || node.type == syntax::ScalarType::Float)
      return add(node.span, TokenType::Number);
    if (node.type != syntax::ScalarType::String)
      return add(node.span, TokenType::Keyword);
    add(node.span, TokenType::String);
  }

  /// Whether the whole scalar is a name.
  bool named(const Node& scalar) {
    if (scalar.kind != Node::Kind::Scalar || scalar.value.empty())
      return false;
    std::uint32_t quote =
        scalar.style == syntax::Style::SingleQuoted || scalar.style == syntax::Style::DoubleQuoted
            ? 1
            : 0;
    auto found = names_.find(scalar.span.begin + quote);
    return found != names_.end() && found->second->name == scalar.value &&
           name(found->second->span);
  }

  void parent(const Node& node) {
    std::string_view text = analysis_.sources->text(node.span);
    auto hash = static_cast<std::uint32_t>(std::min(text.find('#'), text.size()));
    add(node.span.begin, node.span.begin + hash, TokenType::String);
    if (hash < text.size())
      add(node.span.begin + hash, node.span.end, TokenType::Namespace);
  }

  void expression(const Node& node, model::Entry entry) {
    ExprText expr = syntax::cut(node.value);
    syntax::ExprPlace place(*analysis_.sources, node);
    for (std::size_t i = 0; i < expr.tokens.size(); ++i) {
      Span span = place.span(expr.tokens[i].begin, expr.tokens[i].end);
      switch (TokenKind kind = expr.kind(i)) {
      case TokenKind::Number:
        add(span, TokenType::Number);
        break;
      case TokenKind::Percent:
        add(span, TokenType::Type, ofLanguage);
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
        if (syntax::isKeyword(kind))
          add(span, TokenType::Keyword);
        else if (syntax::isComparator(kind) || kind == TokenKind::Assign ||
                 kind == TokenKind::Minus)
          add(span, TokenType::Operator);
      }
    }
  }

  /// A word of an expression that is no name of the contract's.
  void word(const ExprText& expr, std::size_t i, const Span& span, model::Entry entry) {
    std::string_view text = expr.of(i);
    TokenKind before = i > 0 ? expr.kind(i - 1) : TokenKind::End, after = expr.kind(i + 1);
    bool isMeasured = entry == model::Entry::Requirement || expr.innermostOpener(i) < i;
    if (before == TokenKind::Number || before == TokenKind::Per)
      add(span, TokenType::Type, ofLanguage);
    else if (after == TokenKind::Assign)
      add(span, TokenType::Parameter);
    else if (entry == model::Entry::Predicate && metrics::findField(text))
      add(span, TokenType::Property, ofLanguage);
    else if (isMeasured && (metrics::findMetric(text) || metrics::findClaim(text)))
      add(span, TokenType::Variable, ofLanguage);
    else if (after == TokenKind::LeftParen || i == 0)
      add(span, TokenType::Function, ofLanguage);
    else
      add(span, TokenType::EnumMember, ofLanguage);
  }

  const Analysis& analysis_;
  std::unordered_map<std::uint32_t, const Mention*> names_;
  std::vector<ColouredPart> out_;
};

/// Numbers are relative to the token before.
class Encoder {
public:
  Encoder(std::string_view text, Encoding encoding)
      : text_(text), lines_(text), encoding_(encoding) {}

  /// The lines of a piece that touch the range.
  void add(const ColouredPart& piece, Range within) {
    for (std::uint32_t begin = piece.begin; begin < piece.end;) {
      auto end = static_cast<std::uint32_t>(
          std::min<std::size_t>(text_.find_first_of("\r\n", begin), piece.end));
      std::uint32_t first = begin;
      while (first < end && (text_[first] == ' ' || text_[first] == '\t'))
        ++first;
      if (end > within.begin && first < within.end)
        line(first, end, piece);
      begin = end + 1;
    }
  }

  std::vector<std::uint32_t> numbers;

private:
  void line(std::uint32_t begin, std::uint32_t end, const ColouredPart& piece) {
    if (begin >= end)
      return;
    Place from = lines_.placeOf(text_, begin, encoding_);
    bool sameLine = from.line == last_.line;
    numbers.insert(numbers.end(),
                   {from.line - last_.line, from.character - (sameLine ? last_.character : 0),
                    unitsIn(text_, begin, end, encoding_), static_cast<std::uint32_t>(piece.type),
                    piece.modifiers});
    last_ = from;
  }

  std::string_view text_;
  Lines lines_;
  Encoding encoding_;
  Place last_;
};

} // namespace

std::span<const std::string_view> tokenTypes() { return typeNames; }
std::span<const std::string_view> tokenModifiers() { return modifierNames; }

std::vector<std::uint32_t> semanticTokens(const Outline& outline, const Analysis& analysis,
                                          Encoding encoding, Range range) {
  Encoder encoder(analysis.sources->get(analysis.file).text, encoding);
  std::uint32_t done = 0;
  for (ColouredPart piece : Painter(outline, analysis).paint()) {
    piece.begin = std::max(piece.begin, done); // broken text may be seen in two ways
    if (piece.begin >= piece.end || piece.end <= range.begin || piece.begin >= range.end)
      continue;
    encoder.add(piece, range);
    done = piece.end;
  }
  return std::move(encoder.numbers);
}

} // namespace tikc::lsp
