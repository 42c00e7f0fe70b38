#include "syntax/ExprParser.h"

#include "model/Spans.h"
#include "syntax/ExprFaults.h"
#include "syntax/ExprLexer.h"
#include "syntax/ExprSpacing.h"

#include "TikcParser.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <type_traits>

namespace tikc::syntax {
namespace {

using grammar::TikcParser;

constexpr bool isSameToken(TokenKind ours, std::size_t theirs) {
  return static_cast<std::size_t>(ours) == theirs;
}
static_assert(isSameToken(TokenKind::And, TikcParser::AND));
static_assert(isSameToken(TokenKind::Slices, TikcParser::SLICES));
static_assert(isSameToken(TokenKind::LessEqual, TikcParser::LE));
static_assert(isSameToken(TokenKind::NotEqual, TikcParser::NE));
static_assert(isSameToken(TokenKind::Assign, TikcParser::ASSIGN));
static_assert(isSameToken(TokenKind::LeftParen, TikcParser::LPAREN));
static_assert(isSameToken(TokenKind::RightBrace, TikcParser::RBRACE));
static_assert(isSameToken(TokenKind::Comma, TikcParser::COMMA));
static_assert(isSameToken(TokenKind::Number, TikcParser::NUMBER));
static_assert(isSameToken(TokenKind::Name, TikcParser::NAME));
static_assert(isSameToken(TokenKind::String, TikcParser::STRING));
static_assert(isSameToken(TokenKind::Unclosed, TikcParser::UNCLOSED));
static_assert(isSameToken(TokenKind::Misspelt, TikcParser::MISSPELT));
static_assert(isSameToken(TokenKind::Unknown, TikcParser::UNKNOWN));

TokenKind tokenKind(std::size_t type) {
  return type == antlr4::Token::EOF ? TokenKind::End : static_cast<TokenKind>(type);
}

std::size_t typeOf(TokenKind kind) {
  return kind == TokenKind::End ? antlr4::Token::EOF : static_cast<std::size_t>(kind);
}

/// One of our tokens as the parser knows it: its kind and its place among them.
class ParserToken final : public antlr4::Token {
public:
  ParserToken(std::size_t type, std::size_t index) : type_(type), index_(index) {}

  std::size_t getType() const override { return type_; }
  std::size_t getTokenIndex() const override { return index_; }
  // Who asks for more looks it up in the ExprText.
  std::string getText() const override { return {}; }
  std::size_t getLine() const override { return 0; }
  std::size_t getCharPositionInLine() const override { return 0; }
  std::size_t getChannel() const override { return DEFAULT_CHANNEL; }
  std::size_t getStartIndex() const override { return 0; }
  std::size_t getStopIndex() const override { return 0; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
  std::string toString() const override { return {}; }

private:
  std::size_t type_, index_;
};

/// Hands the parser our tokens. ANTLR's own streams ask a lexer, and lock and allocate for each.
class ParserTokens final : public antlr4::TokenStream {
public:
  /// No tree may be left that has the tokens before.
  void set(const std::vector<ExprToken>& tokens) {
    tokens_.clear();
    for (const ExprToken& token : tokens)
      tokens_.emplace_back(typeOf(token.kind), tokens_.size());
    index_ = 0;
  }

  antlr4::Token* LT(ssize_t ahead) override {
    std::size_t at = index_ + static_cast<std::size_t>(ahead) - (ahead > 0 ? 1 : 0);
    if (ahead < 0 && index_ < static_cast<std::size_t>(-ahead))
      return nullptr;
    return &tokens_[std::min(at, tokens_.size() - 1)];
  }
  std::size_t LA(ssize_t ahead) override { return LT(ahead)->getType(); }
  void consume() override { index_ = std::min(index_ + 1, tokens_.size() - 1); }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  std::size_t index() override { return index_; }
  void seek(std::size_t index) override { index_ = index; }
  std::size_t size() override { return tokens_.size(); }
  antlr4::Token* get(std::size_t index) const override { return &tokens_[index]; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

private:
  mutable std::vector<ParserToken> tokens_;
  std::size_t index_ = 0;
};

/// Ends the parse at the first fault. The parser announces each decision before it looks at the
/// token; those announced at the token where it fails are what could have stood there.
class FirstFault final : public antlr4::ANTLRErrorStrategy {
public:
  void reset(antlr4::Parser*) override { begin(noToken); }
  void sync(antlr4::Parser* parser) override {
    std::size_t index = parser->getTokenStream()->index();
    if (index != index_)
      begin(index);
    states_.push_back(parser->getState());
  }
  [[noreturn]] antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    fail(parser, parser->getCurrentToken());
  }
  [[noreturn]] void reportError(antlr4::Parser* parser,
                                const antlr4::RecognitionException& e) override {
    fail(parser, e.getOffendingToken());
  }
  void recover(antlr4::Parser*, std::exception_ptr) override {}
  bool inErrorRecoveryMode(antlr4::Parser*) override { return false; }
  void reportMatch(antlr4::Parser*) override {}

private:
  static constexpr std::size_t noToken = std::numeric_limits<std::size_t>::max();

  void begin(std::size_t index) {
    index_ = index;
    states_.clear();
  }
  [[noreturn]] void fail(antlr4::Parser* parser, const antlr4::Token* token) {
    SyntaxFailure failure;
    failure.token = token->getTokenIndex();
    if (failure.token != index_)
      states_.clear();
    states_.push_back(parser->getState());
    const antlr4::atn::ATN& atn = parser->getATN();
    for (std::size_t state : states_)
      for (const antlr4::misc::Interval& range : atn.nextTokens(atn.states[state]).getIntervals())
        for (ssize_t type = range.a; type <= range.b; ++type)
          if (type > 0 || static_cast<std::size_t>(type) == antlr4::Token::EOF)
            failure.expected.add(tokenKind(static_cast<std::size_t>(type)));
    throw failure;
  }

  std::size_t index_ = noToken;
  std::vector<std::size_t> states_;
};

/// In a tree whose places are bytes of the text, a place that is set.
constexpr FileId ofText{0};

/// Makes the model's trees from ANTLR's; places are bytes of the text. A fault is kept, not
/// reported: looking for a fix runs the parser again, which frees the trees.
class Builder {
public:
  Builder(const ExprText& expr, const Limits& limits) : expr_(expr), limits_(limits) {}

  std::function<void(ExprReport&)> fault;

  model::Requirement requirement(TikcParser::RequirementContext* tree) {
    model::Requirement out;
    out.span = span(tree);
    out.comparisons.reserve(tree->parts.size());
    for (TikcParser::ComparisonContext* part : tree->parts)
      out.comparisons.push_back(comparison(part));
    checkLastTails(tree);
    return out;
  }

  model::Expr predicate(TikcParser::PredicateContext* tree) {
    return joined(model::Expr::Kind::Or, tree, [this](TikcParser::ConjunctionContext* conjunction) {
      return joined(model::Expr::Kind::And, conjunction,
                    [this](TikcParser::NegationContext* part) { return negation(part); });
    });
  }

  model::Expr trigger(TikcParser::TriggerContext* tree) {
    return joined(
        model::Expr::Kind::Or, tree, [this](TikcParser::StateConjunctionContext* conjunction) {
          return joined(model::Expr::Kind::And, conjunction,
                        [this](TikcParser::StateNegationContext* part) { return negation(part); });
        });
  }

  model::Expr term(TikcParser::TermContext* tree) {
    model::Expr out = named(tree->name, tree);
    if (tree->stop != tree->name)
      call(out, tree->list);
    return out;
  }

  model::Quantity quantity(TikcParser::QuantityContext* tree) {
    model::Quantity out;
    out.span = span(tree);
    std::size_t number = index(tree->number);
    out.numberSpan = span(index(tree->start), number);
    std::string digits(expr_.of(number));
    std::erase(digits, '_');
    std::optional<Rational> value = parseDecimal(digits, limits_);
    assert(value && "the tokens were checked");
    out.value = tree->sign ? Rational(-*value) : std::move(*value);
    if (tree->unit)
      out.unit = unit(tree->unit);
    if (tree->per)
      out.per = unit(tree->per);
    if (out.per && *out.per != model::Unit::None &&
        model::info(*out.per).dimension != model::Dimension::Time)
      keep([at = index(tree->per), this](ExprReport& report) {
        reportUnknownUnit(expr_, at, report);
      });
    return out;
  }

private:
  static std::size_t index(const antlr4::Token* token) { return token->getTokenIndex(); }
  Span span(std::size_t first, std::size_t last) const {
    return {ofText, expr_.tokens[first].begin, expr_.tokens[last].end};
  }
  Span span(const antlr4::ParserRuleContext* tree) const {
    return span(index(tree->start), index(tree->stop));
  }
  Span span(const antlr4::Token* token) const { return span(index(token), index(token)); }
  std::string text(const antlr4::Token* token) const { return std::string(expr_.of(index(token))); }

  void keep(std::function<void(ExprReport&)> report) {
    if (!fault)
      fault = std::move(report);
  }

  model::Unit unit(const antlr4::Token* token) {
    std::size_t at = index(token);
    std::optional<model::Unit> found = model::findUnit(expr_.of(at));
    if (!found)
      keep([at, this](ExprReport& report) { reportUnknownUnit(expr_, at, report); });
    return found.value_or(model::Unit::None);
  }

  static model::Comparator comparator(TokenKind kind) {
    return static_cast<model::Comparator>(static_cast<int>(kind) -
                                          static_cast<int>(TokenKind::LessEqual));
  }

  model::Comparison comparison(TikcParser::ComparisonContext* tree) {
    model::Comparison out;
    out.span = span(tree);
    out.subject = term(tree->subject);
    if (tree->relation) {
      std::size_t sign = index(tree->relation->start);
      out.comparator = comparator(expr_.kind(sign));
      out.comparatorSpan = span(sign, sign);
      out.bound = quantity(tree->bound);
      if (out.comparator == model::Comparator::NotEqual)
        keep([sign, this](ExprReport& report) {
          report.at<diag::NotEqualRequirement>(expr_.tokens[sign]);
        });
    } else {
      std::size_t in = index(tree->within->start) - 1;
      out.comparatorSpan = span(in, in);
      out.bound = quantity(tree->within->low);
      out.upper = quantity(tree->within->high);
    }
    tails(tree, out);
    return out;
  }

  void tails(TikcParser::ComparisonContext* tree, model::Comparison& out) {
    const antlr4::Token* scope = nullptr;
    const antlr4::Token* over = nullptr;
    const antlr4::Token* confidence = nullptr;
    for (TikcParser::TailContext* tail : tree->tails) {
      const antlr4::Token*& seen = tail->window ? over : tail->level ? confidence : scope;
      if (seen) {
        keep([first = index(seen), second = index(tail->start), last = index(tail->stop),
              this](ExprReport& report) { duplicateTail(first, second, last, report); });
        continue;
      }
      seen = tail->start;
      if (tail->window)
        out.over = quantity(tail->window);
      else if (tail->level)
        out.confidence = quantity(tail->level);
      else
        out.scope = scopeOf(tail);
    }
  }

  enum class TailKind : std::uint8_t { Scope, Over, Confidence };
  static TailKind kindOf(const TikcParser::TailContext* tail) {
    return tail->window ? TailKind::Over : tail->level ? TailKind::Confidence : TailKind::Scope;
  }

  /// What the last comparison says after its bound could be meant of all of them.
  void checkLastTails(TikcParser::RequirementContext* tree) {
    for (TikcParser::TailContext* tail : tree->parts.back()->tails) {
      if (tail->each) // as where nothing is said
        continue;
      auto lacks = [&](const TikcParser::ComparisonContext* part) {
        return std::none_of(part->tails.begin(), part->tails.end(),
                            [&](const auto* other) { return kindOf(other) == kindOf(tail); });
      };
      std::vector<std::size_t> ends; // of those that lack it
      for (TikcParser::ComparisonContext* part : tree->parts)
        if (lacks(part))
          ends.push_back(index(part->stop));
      if (!ends.empty())
        return keep([this, ends, first = index(tail->start), last = index(tail->stop),
                     begin = index(tree->start), own = index(tree->parts.back()->start),
                     end = index(tree->stop)](ExprReport& report) {
          sharedTail(ends, {first, last}, {begin, own, end}, report);
        });
    }
  }

  struct Tokens {
    std::size_t first, last;
  };
  struct Comparisons {
    std::size_t first, ownFirst, last;
  };
  void sharedTail(const std::vector<std::size_t>& ends, Tokens tail, Comparisons all,
                  ExprReport& report) const {
    std::string said(expr_.of(tail.first, tail.last)), own(expr_.of(all.ownFirst, tail.first - 1));
    auto& finding = report.at<diag::SharedTail>(
        expr_.tokens[tail.first].begin, expr_.tokens[tail.last].end, ticked(said), ticked(own));
    std::vector<ExprEdit> ofAll;
    ofAll.reserve(ends.size());
    for (std::size_t at : ends)
      ofAll.push_back({expr_.tokens[at].end, expr_.tokens[at].end, ' ' + said});
    report.fix(finding, "say it of each comparison", ofAll, false);
    std::uint32_t start = expr_.tokens[all.first].begin;
    report.fixIfItReads(finding, "say it of the last alone, which then comes first",
                        {{start, start, std::string(expr_.of(all.ownFirst, all.last)) + " and "},
                         {expr_.tokens[all.ownFirst - 2].end, expr_.tokens[all.last].end, ""}},
                        false);
  }

  void duplicateTail(std::size_t first, std::size_t second, std::size_t last,
                     ExprReport& report) const {
    std::string_view what = expr_.kind(second) == TokenKind::Over   ? "a window"
                            : expr_.kind(second) == TokenKind::With ? "a confidence level"
                                                                    : "a scope";
    std::uint32_t end = expr_.tokens[last].end;
    auto& finding = report.at<diag::DuplicateTail>(expr_.tokens[second].begin, end, what);
    report.relate(finding, expr_.tokens[first], "the first one");
    report.fix(finding, "remove the second", {{expr_.tokens[second - 1].end, end, ""}}, false);
  }

  model::Scope scopeOf(TikcParser::TailContext* tail) const {
    model::Scope out;
    out.span = span(tail);
    out.kind = tail->all    ? model::Scope::Kind::All
               : tail->each ? model::Scope::Kind::EachSlice
                            : model::Scope::Kind::Named;
    for (const antlr4::Token* name : tail->names)
      out.slices.push_back({text(name), span(name)});
    return out;
  }

  model::Expr named(const antlr4::Token* name, const antlr4::ParserRuleContext* tree) const {
    model::Expr out;
    out.text = text(name);
    out.nameSpan = span(name);
    out.span = span(tree);
    return out;
  }

  void call(model::Expr& out, const std::vector<TikcParser::ArgumentContext*>& list) {
    out.kind = model::Expr::Kind::Call;
    out.arguments.reserve(list.size());
    for (TikcParser::ArgumentContext* argument : list) {
      out.arguments.push_back(value(argument->value));
      if (argument->keyword)
        out.arguments.back().keyword = {text(argument->keyword), span(argument->keyword)};
    }
  }

  /// An argument: an operand by itself, or a condition.
  model::Expr value(TikcParser::PredicateContext* tree) {
    if (tree->parts.size() == 1 && tree->parts[0]->parts.size() == 1)
      if (auto* single = tree->parts[0]->parts[0]->single;
          single && !single->relation && !single->members)
        return operand(single->left);
    return predicate(tree);
  }

  template <typename Tree, typename Part>
  model::Expr joined(model::Expr::Kind kind, Tree* tree, Part part) {
    if (tree->parts.size() == 1)
      return part(tree->parts[0]);
    model::Expr out;
    out.kind = kind;
    out.span = span(tree);
    out.arguments.reserve(tree->parts.size());
    for (auto* each : tree->parts)
      out.arguments.push_back(part(each));
    return out;
  }

  model::Expr group(TikcParser::PredicateContext* tree) { return predicate(tree); }
  model::Expr group(TikcParser::TriggerContext* tree) { return trigger(tree); }

  template <typename Tree> model::Expr negation(Tree* tree) {
    if (tree->group)
      return group(tree->group);
    if (tree->single)
      return leaf(tree->single);
    model::Expr out;
    out.kind = model::Expr::Kind::Not;
    out.span = span(tree);
    out.arguments.push_back(negation(tree->inner));
    return out;
  }

  model::Expr leaf(TikcParser::ConditionContext* tree) {
    model::Expr out;
    out.span = span(tree);
    out.arguments.reserve(2);
    out.arguments.push_back(operand(tree->left));
    std::size_t after = index(tree->left->stop) + 1;
    out.nameSpan = span(after, after);
    if (tree->relation) {
      out.kind = model::Expr::Kind::Compare;
      out.comparator = comparator(expr_.kind(after));
      out.arguments.push_back(operand(tree->right));
    } else if (tree->members) {
      out.kind = model::Expr::Kind::In;
      out.arguments.push_back(set(tree->members));
    } else {
      keep([after, this](ExprReport& report) {
        SyntaxFailure failure;
        failure.token = after;
        failure.expected.add(TokenKind::LessEqual);
        reportSyntaxFault(expr_, failure, report);
      });
    }
    return out;
  }

  model::Expr leaf(TikcParser::StateContext* tree) {
    model::Expr state = named(tree->name, tree);
    call(state, tree->list);
    if (!tree->count)
      return state;
    state.span = span(index(tree->start), index(tree->count->start) - 2);
    model::Expr out;
    out.kind = model::Expr::Kind::For;
    out.span = span(tree);
    out.arguments.reserve(2);
    out.arguments.push_back(std::move(state));
    out.arguments.push_back(number(tree->count));
    return out;
  }

  model::Expr operand(TikcParser::OperandContext* tree) {
    if (tree->call)
      return term(tree->call);
    return tree->number ? number(tree->number) : string(tree->text);
  }

  model::Expr number(TikcParser::QuantityContext* tree) {
    model::Expr out;
    out.kind = model::Expr::Kind::Quantity;
    out.quantity = quantity(tree);
    out.span = out.quantity.span;
    return out;
  }

  model::Expr string(const antlr4::Token* token) const {
    model::Expr out;
    out.kind = model::Expr::Kind::String;
    out.text = unescape(expr_.of(index(token)));
    out.span = span(token);
    return out;
  }

  model::Expr set(TikcParser::SetContext* tree) {
    model::Expr out;
    out.kind = model::Expr::Kind::Set;
    out.span = span(tree);
    out.arguments.reserve(tree->list.size());
    for (TikcParser::MemberContext* member : tree->list)
      out.arguments.push_back(member->text     ? string(member->text)
                              : member->number ? number(member->number)
                                               : named(member->name, member));
    return out;
  }

  const ExprText& expr_;
  const Limits& limits_;
};

/// From places in the text to places in the file.
template <typename Tree> Tree placed(Tree tree, const ExprPlace& place) {
  model::forEachSpan(tree, [&](Span& span) {
    if (span.valid())
      span = place.span(span.begin, span.end);
  });
  return tree;
}

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

} // namespace

struct ExprParser::Impl {
  Impl(const SourceManager& sourceManager, const Limits& limitsOfRun, Recollection* kept)
      : sources(sourceManager), limits(limitsOfRun), memory(kept ? *kept : own), parser(&tokens) {
    parser.removeErrorListeners();
    parser.setErrorHandler(std::make_shared<FirstFault>());
    parser.setBuildParseTree(false); // labels lead to all that the builder needs
    // The one decision of more than a token does not depend on the calling rules, so nothing is
    // lost.
    parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
        antlr4::atn::PredictionMode::SLL);
  }

  /// Parses the tokens; nothing but a tree or a failure leaves it.
  template <typename Parse> std::optional<SyntaxFailure> parse(const ExprText& of, Parse rule) {
    parser.setTokenStream(&tokens); // frees the trees of the tokens before
    tokens.set(of.tokens);
    try {
      rule();
    } catch (const SyntaxFailure& failure) {
      return failure;
    }
    return std::nullopt;
  }

  /// What a parser that never saw the like of the last token would rather have had there.
  std::optional<Outlook> outlook(std::string_view text, ExprEntry entry) {
    if (text.size() > limits.expressionBytes)
      return std::nullopt;
    std::string unfinished = std::string(text) + " ?";
    ExprText attempt{unfinished, {}, entry};
    lex(attempt);
    std::size_t last = attempt.tokens.size() - 2;
    auto strange = [](const ExprToken& token) { return token.kind >= TokenKind::Unclosed; };
    auto end = attempt.tokens.begin() + static_cast<std::ptrdiff_t>(last);
    if (attempt.tokens[last].kind != TokenKind::Unknown ||
        std::any_of(attempt.tokens.begin(), end, strange) || isTooDeep(attempt, limits))
      return std::nullopt;
    auto failure = parse(attempt, [&] { enter(entry); });
    if (!failure || failure->token != last)
      return std::nullopt;
    attempt.text = text;
    attempt.tokens.erase(end);
    auto size = static_cast<std::uint32_t>(text.size());
    attempt.tokens.back() = {TokenKind::End, size, size};
    return Outlook{std::move(attempt), failure->expected};
  }

  void enter(ExprEntry entry) {
    switch (entry) {
    case ExprEntry::Requirement:
      parser.requirementEntry();
      break;
    case ExprEntry::Predicate:
      parser.predicateEntry();
      break;
    case ExprEntry::Trigger:
      parser.triggerEntry();
      break;
    case ExprEntry::Call:
      parser.callEntry();
      break;
    case ExprEntry::Quantity:
      parser.quantityEntry();
      break;
    }
  }

  template <typename Entry>
  bool reads(std::string_view text, ExprEntry entry, Entry* (TikcParser::*rule)()) {
    if (text.size() > limits.expressionBytes)
      return false;
    if (memory.find(entry, text, limits))
      return true;
    ExprText attempt{text, {}, entry};
    lex(attempt);
    return fitToParse(attempt, limits) && !parse(attempt, [&] { (parser.*rule)(); });
  }

  /// Rule is an entry rule of the parser, build makes the result from its tree.
  template <typename Entry, typename Build>
  auto read(const Node& scalar, diag::Sink& sink, ExprEntry entry, Entry* (TikcParser::*rule)(),
            Build build) -> std::optional<std::invoke_result_t<Build, Builder&, Entry*>> {
    if (scalar.invalid)
      return std::nullopt;
    assert(scalar.kind == Node::Kind::Scalar);
    if (scalar.value.size() > limits.expressionBytes) {
      sink.report<diag::ExpressionTooLong>(scalar.span,
                                           static_cast<diag::Count>(scalar.value.size()),
                                           static_cast<diag::Count>(limits.expressionBytes));
      return std::nullopt;
    }
    if (scalar.isNull() || isBlank(scalar.value)) {
      sink.report<diag::EmptyExpression>(scalar.span, wanted(entry));
      return std::nullopt;
    }
    using Result = std::invoke_result_t<Build, Builder&, Entry*>;
    ExprPlace place(sources, scalar);
    if (const auto* known = memory.find(entry, scalar.value, limits))
      return placed(std::get<Result>(*known), place);
    expr.text = scalar.value;
    expr.entry = entry;
    lex(expr);
    ExprReport report(expr, place, sink,
                      [&](std::string_view text) { return reads(text, entry, rule); });
    if (reportLexicalFault(expr, limits, report))
      return std::nullopt;

    Entry* tree = nullptr;
    if (auto failure = parse(expr, [&] { tree = (parser.*rule)(); })) {
      reportSyntaxFault(expr, *failure, report);
      return std::nullopt;
    }
    Builder builder(expr, limits);
    Result result = build(builder, tree);
    if (builder.fault) {
      builder.fault(report);
      return std::nullopt;
    }
    memory.keep(entry, scalar.value, result);
    return placed(std::move(result), place);
  }

  const SourceManager& sources;
  const Limits& limits;
  Recollection own;
  Recollection& memory;
  ExprText expr;
  ParserTokens tokens;
  TikcParser parser;
};

ExprParser::ExprParser(const SourceManager& sources, const Limits& limits, Recollection* memory)
    : impl_(std::make_unique<Impl>(sources, limits, memory)) {}
ExprParser::~ExprParser() = default;

std::optional<model::Requirement> ExprParser::requirement(const Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Requirement, &TikcParser::requirementEntry,
                     [](Builder& b, auto* tree) { return b.requirement(tree->whole); });
}

std::optional<model::Expr> ExprParser::predicate(const Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Predicate, &TikcParser::predicateEntry,
                     [](Builder& b, auto* tree) { return b.predicate(tree->whole); });
}

std::optional<model::Expr> ExprParser::trigger(const Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Trigger, &TikcParser::triggerEntry,
                     [](Builder& b, auto* tree) { return b.trigger(tree->whole); });
}

std::optional<model::Expr> ExprParser::call(const Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Call, &TikcParser::callEntry,
                     [](Builder& b, auto* tree) { return b.term(tree->whole); });
}

std::optional<model::Quantity> ExprParser::quantity(const Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Quantity, &TikcParser::quantityEntry,
                     [](Builder& b, auto* tree) { return b.quantity(tree->whole); });
}

std::optional<Outlook> ExprParser::outlook(std::string_view text, ExprEntry entry) {
  return impl_->outlook(text, entry);
}

std::optional<std::string> ExprParser::spaced(std::string_view text, model::Entry entry) {
  auto reads = [&] {
    switch (entry) {
    case model::Entry::None:
      return false;
    case model::Entry::Requirement:
      return impl_->reads(text, ExprEntry::Requirement, &TikcParser::requirementEntry);
    case model::Entry::Predicate:
      return impl_->reads(text, ExprEntry::Predicate, &TikcParser::predicateEntry);
    case model::Entry::Trigger:
      return impl_->reads(text, ExprEntry::Trigger, &TikcParser::triggerEntry);
    case model::Entry::Call:
      return impl_->reads(text, ExprEntry::Call, &TikcParser::callEntry);
    case model::Entry::Quantity:
      return impl_->reads(text, ExprEntry::Quantity, &TikcParser::quantityEntry);
    }
    return false;
  };
  if (!reads())
    return std::nullopt;
  ExprText before{text, {}};
  lex(before);
  std::string out = syntax::spaced(before);
  ExprText after{out, {}};
  lex(after);
  bool same = std::equal(before.tokens.begin(), before.tokens.end(), after.tokens.begin(),
                         after.tokens.end(), [&](const ExprToken& a, const ExprToken& b) {
                           return a.kind == b.kind && before.of(a) == after.of(b);
                         });
  return same ? std::optional(out) : std::nullopt;
}

} // namespace tikc::syntax
