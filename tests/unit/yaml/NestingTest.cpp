#include "yaml/Nesting.h"
#include "yaml/TreeDump.h"
#include "yaml/Words.h"
#include "yaml/YamlReader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace tikc::yaml {
namespace {

/// All that a reading has: the tree, its places, and the findings.
std::string reading(const std::string& text, StructureBy by) {
  Limits limits;
  SourceManager sources;
  FileId file = sources.add("test.tikc.yaml", {}, text);
  diag::Sink sink(limits);
  std::string out = dumpTree(sources, readYaml(sources, file, limits, sink, by));
  for (const auto& found : sink.take())
    out += std::to_string(found.span.begin) + "-" + std::to_string(found.span.end) + ": " +
           found.message + "\n";
  return out;
}

/// Whether the tokens of the only document tell its structure.
bool plain(const std::string& text) {
  Words words = wordsOf(text);
  return !words.documents.empty() &&
         plainNesting(text, words.documents.front(), Limits().nestingDepth).has_value();
}

/// A map as `{ key: value }`, a list as `[ value ]`; `-` where a value is left out, `?` where a
/// colon is.
std::string nested(const std::string& text, const DocumentText& document) {
  std::string out;
  std::vector<std::string> closers;
  for (const NestingStep& step : nestingOf(text, document).steps) {
    const Token& token = document.tokens[step.token];
    std::string words = text.substr(token.begin, token.end - token.begin);
    switch (step.kind) {
    case NestingStep::Kind::Null:
      out += "- ";
      break;
    case NestingStep::Kind::Scalar:
      out += words + " ";
      break;
    case NestingStep::Kind::Key:
      out += words + (token.key ? ": " : "?: ");
      break;
    case NestingStep::Kind::Sequence:
    case NestingStep::Kind::Mapping:
      out += step.kind == NestingStep::Kind::Mapping ? "{ " : "[ ";
      closers.push_back(step.kind == NestingStep::Kind::Mapping ? "} " : "] ");
      break;
    case NestingStep::Kind::Close:
      out += closers.back();
      closers.pop_back();
      break;
    }
  }
  return out;
}

/// The same of what the YAML parser told.
std::string nested(const std::string& text, const Node& node) {
  auto slice = [&](const Span& span) { return text.substr(span.begin, span.end - span.begin); };
  if (node.aliasSpan.valid())
    return slice(node.aliasSpan) + " ";
  if (node.kind == Node::Kind::Scalar)
    return node.style == Style::Empty ? "- " : slice(node.span) + " ";
  std::string out = node.kind == Node::Kind::Mapping ? "{ " : "[ ";
  for (const auto& item : node.items)
    out += nested(text, *item);
  for (const Entry& entry : node.entries) {
    std::string key = nested(text, *entry.key);
    key.back() = ':';
    out += key + " " + nested(text, *entry.value);
  }
  return out + (node.kind == Node::Kind::Mapping ? "} " : "] ");
}

/// Where the tokens leave doubt, and the parser finds no fault, they have guessed well.
void expectGuess(const std::string& text) {
  Limits limits;
  SourceManager sources;
  FileId file = sources.add("test.tikc.yaml", {}, text);
  diag::Sink sink(limits);
  Tree tree = readYaml(sources, file, limits, sink, StructureBy::Parser);
  if (sink.size() > 0)
    return;
  Words words = wordsOf(text);
  for (std::size_t i = 0; i < tree.documents.size(); ++i) {
    if (words.documents[i].tokens.empty())
      continue;
    // The parser takes values that stand no deeper than their keys. YAML does not, and a word there
    // may be a key.
    std::string guess = nested(text, words.documents[i]);
    if (guess.find("?: ") == std::string::npos) {
      EXPECT_EQ(guess, nested(text, *tree.documents[i].root)) << text;
    }
  }
}

void expectAgreement(const std::string& text) {
  EXPECT_EQ(reading(text, StructureBy::Tokens), reading(text, StructureBy::Parser)) << text;
  expectGuess(text);
}

std::vector<std::string> textsBelow(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TIKC_SOURCE_DIR + folder))
    if (entry.is_regular_file()) {
      std::ifstream in(entry.path(), std::ios::binary);
      std::ostringstream text;
      text << in.rdbuf();
      out.push_back(std::move(text).str());
    }
  return out;
}

TEST(Nesting, IsToldOfWhatIsHalfTyped) {
  auto told = [](const std::string& text) { return nested(text, wordsOf(text).documents.front()); };
  EXPECT_EQ(told("a:\n  b: 1\n  c\n  d: 2\n"), "{ a: { b: 1 c?: d: 2 } } ");
  EXPECT_EQ(told("a:\n- b\nc\nd: 1\n"), "{ a: [ b ] c?: d: 1 } ");
  EXPECT_EQ(told("a:\n  - b\n  c\nd: 1\n"), "{ a: [ b c ] d: 1 } ");
  EXPECT_EQ(told("a: { b: 1, c }\nd: 2\n"), "{ a: { b: 1 c?: } d: 2 } ");
  EXPECT_EQ(told("a: { b: { c: 1, d"), "{ a: { b: { c: 1 d?: } } } ");
  EXPECT_EQ(told("a:\n    b: 1\n  c: 2\nd: 3\n"), "{ a: { b: 1 } { c: 2 } d: 3 } ");
  EXPECT_EQ(told("a:\n  b:\n[c]\n"), "{ a: { b: - } [ c ] } ");
  EXPECT_EQ(told("- &x a: 1\n  b: *x\n- c"), "[ { a: 1 b: *x } c ] ");
}

TEST(PlainNesting, IsToldByTokensWhereItIsPlain) {
  for (std::string text : {
           "a: 1\n",
           "a:\nb: 2\n",
           "a: null\nb: ~\n",
           "a:\n  b: 1\n  c:\n    d: e\nf: g\n",
           "a:\n- 1\n- 2\nb: 3\n",
           "a:\n  - 1\n  -\n  - 3\n",
           "- a: 1\n  b: 2\n- c:\n  - d\n  e: f\n",
           "- - 1\n  - 2\n-\n  - 3\n",
           "a: [1, 2, {b: c, d: [e]}, ]\nf: {g: , h: i}\nj: []\nk: {}\n",
           "a: [\n  1,\n  2\n ]\nb: 3\n",
           "a: |\n  text\n  more\nb: >-\n  folded\n\n  on\nc: 3\n",
           "a: one\n  two\nb: \"three\n  four\"\nc: 5\n",
           "'a': \"b\" # comment\n\n# comment\n\"c\": 'd'\n",
           "  a: 1\n  b: 2\n",
           "a:\r\n  - b\r\n  - c: d\r\n",
           "\xEF\xBB\xBF"
           "a: 1\nb:\n  - é: ü\n    ö: 1\n",
           "---\na: 1\n...\n",
           "a:\n  b\nc:\n  [d]\n",
       }) {
    EXPECT_TRUE(plain(text)) << text;
    expectAgreement(text);
  }
}

TEST(PlainNesting, IsTheParsersWhereThereIsMoreToIt) {
  for (std::string text : {
           "",
           "# comment\n",
           "a: &x 1\nb: *x\n",
           "a: !!str 1\n",
           "--- a\n",
           "---\n... b: 1\n",
           "---\n\xEF\xBB\xBF"
           "b: 1\n",
           "[a]: 1\n",
           "? a\n: b\n",
           "a: [b: c]\n",
           "a: {b}\n",
           "a: - b\n",
           "a:\n    b: 1\n  c: 2\n",
           "a:\n  b\n  c: d\n",
           "a: b: c\n",
           "a: 1\n b: 2\n",
           "a:\n  - b\n c\n",
           "a: \"b\n",
           "a: [b\n",
           "a: 1\nb\n",
           "- a\nb: c\n",
       }) {
    EXPECT_FALSE(plain(text)) << text;
    expectAgreement(text);
  }
  expectAgreement("a: 1\n...\n\xEF\xBB\xBF b: 1\n");
  EXPECT_TRUE(plain(std::string(900, 'a') + ": 1\n"));
  EXPECT_FALSE(plain(std::string(1100, 'a') + ": 1\n"));
  std::string deep;
  for (int i = 0; i < 70; ++i)
    deep += "- ";
  EXPECT_FALSE(plain(deep + "a\n"));
  expectAgreement(deep + "a\n");
}

TEST(PlainNesting, IsTheParsersInEveryFile) {
  std::size_t told = 0;
  for (const std::string& text : textsBelow("/examples")) {
    expectAgreement(text);
    told += plain(text);
  }
  EXPECT_GE(told, 4U);
  for (const char* folder : {"/tests/diag", "/tests/fuzz/corpus/YamlFuzzer"})
    for (const std::string& text : textsBelow(folder))
      if (text.size() < 20'000)
        expectAgreement(text);
}

/// What an edit leaves: pieces of YAML's grammar put anywhere, and pieces of the text cut out.
TEST(PlainNesting, IsTheParsersAfterEdits) {
  const std::vector<std::string> pieces = {":",  ": ",   "-",  "- ",    "\n",  "\n  ", "\n- ", " ",
                                           "  ", "[",    "]",  "{",     "}",   ",",    "#",    "'",
                                           "\"", "\n\n", "|",  ">",     "a",   "b: ",  "null", "?",
                                           "\t", "&x",   "*x", "---\n", "\r\n"};
  std::vector<std::string> texts = {"a:\n  - b: 1\n    c: [d, {e: f}]\n  - |\n    text\ng: 'h'\n",
                                    "- - a\n  - b\n- c:\n  - d\n  e: >\n    f\n"};
  for (std::string& text : textsBelow("/examples"))
    if (text.size() < 6'000)
      texts.push_back(std::move(text));
  std::mt19937 random(20'240'607);
  auto below = [&](std::size_t bound) { return std::size_t{random()} % bound; };
  std::size_t told = 0;
  for (int round = 0; round < 4'000; ++round) {
    // Short texts meet more of what stands beside what.
    std::string text = texts[below(round % 8 == 0 ? texts.size() : 2)];
    for (std::size_t edit = 0, edits = 1 + below(3); edit < edits; ++edit) {
      std::size_t at = below(text.size() + 1);
      if (below(2) == 0)
        text.erase(at, 1 + below(4));
      else
        text.insert(at, pieces[below(pieces.size())]);
    }
    told += plain(text);
    expectAgreement(text);
    if (HasFailure())
      return;
  }
  EXPECT_GE(told, 500U);
}

} // namespace
} // namespace tikc::yaml
