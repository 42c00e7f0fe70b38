#pragma once

#include "expr/ExprFaults.h"

#include "TikcParser.h"

#include <algorithm>
#include <limits>

/// Adapts our tokens and faults to ANTLR's parser.
namespace tikc::expr {

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

inline TokenKind tokenKind(std::size_t type) {
  return type == antlr4::Token::EOF ? TokenKind::End : static_cast<TokenKind>(type);
}

inline std::size_t typeOf(TokenKind kind) {
  return kind == TokenKind::End ? antlr4::Token::EOF : static_cast<std::size_t>(kind);
}

/// One of our tokens for the parser: its kind and its index.
class ParserToken final : public antlr4::Token {
public:
  ParserToken(std::size_t type, std::size_t index) : type_(type), index_(index) {}

  std::size_t getType() const override { return type_; }
  std::size_t getTokenIndex() const override { return index_; }
  // Other details are in the ExprText.
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

/// Passes our tokens to the parser. ANTLR's streams use a lexer, and lock and allocate for each
/// token.
class ParserTokens final : public antlr4::TokenStream {
public:
  /// Sets the tokens. No tree with the previous tokens may exist.
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

/// Ends the parse at the first fault. The parser announces each decision before it reads the token,
/// so the decisions at the failing token are the tokens that were possible.
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

} // namespace tikc::expr
