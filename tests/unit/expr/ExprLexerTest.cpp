#include "expr/ExprLexer.h"

#include "TikcLexer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace tikc::expr {
namespace {

/// Kind and offsets of each token.
using Cut = std::vector<std::tuple<std::size_t, std::size_t, std::size_t>>;

/// What the lexer that ANTLR makes of the grammar does with a text. It gets a character for each
/// byte, so that offsets agree.
Cut byGrammar(std::string_view text) {
  std::string utf8;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80)
      utf8 += {static_cast<char>(0xc0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3f))};
    else
      utf8 += c;
  }
  antlr4::ANTLRInputStream stream(utf8);
  grammar::TikcLexer lexer(&stream);
  lexer.removeErrorListeners();
  Cut out;
  for (const auto& token : lexer.getAllTokens())
    out.emplace_back(token->getType(), token->getStartIndex(), token->getStopIndex() + 1);
  return out;
}

Cut byHand(std::string_view text) {
  ExprText expr{text, {}};
  lex(expr);
  EXPECT_EQ(expr.tokens.back().kind, TokenKind::End);
  Cut out;
  for (const ExprToken& token : expr.tokens)
    if (token.kind != TokenKind::End)
      out.emplace_back(static_cast<std::size_t>(token.kind), token.begin, token.end);
  return out;
}

testing::AssertionResult agree(std::string_view text) {
  Cut grammar = byGrammar(text), hand = byHand(text);
  if (grammar == hand)
    return testing::AssertionSuccess();
  auto print = [](const Cut& cut) {
    std::ostringstream out;
    for (auto [kind, begin, end] : cut)
      out << kind << " [" << begin << ", " << end << ") ";
    return out.str();
  };
  return testing::AssertionFailure()
         << testing::PrintToString(text) << "\n  the grammar: " << print(grammar)
         << "\n  by hand:     " << print(hand);
}

TEST(ExprLexer, CutsEveryShortTextAsTheGrammarDoes) {
  constexpr std::string_view alphabet = "e5_.+-=<>!&|(\"'\\ \nx%\xc3";
  std::vector<std::string> texts = {""};
  for (std::size_t from = 0, length = 1; length <= 4; ++length)
    for (std::size_t end = texts.size(); from < end; ++from)
      for (char c : alphabet)
        texts.push_back(texts[from] + c);
  for (const std::string& text : texts)
    ASSERT_TRUE(agree(text));
}

TEST(ExprLexer, CutsRandomTextAsTheGrammarDoes) {
  constexpr std::string_view parts[] = {
      "and", "or",  "not", "in", "on", "over", "with", "confidence", "per", "for", "all", "slices",
      "And", "in_", "p99", "<=", "=<", "===",  "!==",  "&&",         "||",  "{",   "}",   "[",
      "]",   "(",   ")",   ",",  "%",  "-",    "1e-5", "2E+",        ".5",  "1_0", "..",  "\"a\\\"",
      "'b'", "\"",  "'",   "\\", " ",  "\t",   "\r",   "\n",         "é",   "\0x", "~",   "#"};
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned n = static_cast<unsigned>(random() % 12); n > 0; --n)
      text += parts[random() % std::size(parts)];
    ASSERT_TRUE(agree(text));
  }
}

/// Every line of the examples and of what fuzzers have found, whole and past its first colon: there
/// the expressions are, and much that is none.
TEST(ExprLexer, CutsWhatPeopleWriteAsTheGrammarDoes) {
  std::set<std::string> texts;
  for (const char* folder : {"examples", "tests/diag", "tests/fuzz/corpus"})
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(TIKC_SOURCE_DIR "/" + std::string(folder))) {
      if (!file.is_regular_file() || file.file_size() > 1u << 16)
        continue;
      std::ifstream in(file.path(), std::ios::binary);
      for (std::string line; std::getline(in, line);) {
        texts.insert(line.substr(line.find(':') + 1));
        texts.insert(std::move(line));
      }
    }
  ASSERT_GT(texts.size(), 1000u);
  for (const std::string& text : texts)
    ASSERT_TRUE(agree(text));
}

} // namespace
} // namespace tikc::expr
