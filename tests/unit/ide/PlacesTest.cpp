#include "Analysed.h"

#include "ide/Folds.h"
#include "ide/Hints.h"
#include "ide/Links.h"
#include "ide/Outline.h"
#include "ide/Selections.h"
#include "ide/Symbols.h"
#include "ide/Tokens.h"
#include "ide/hover/Hover.h"
#include "support/Files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace tikc::ide::testing {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Outline> outlined(const Analysed& of) {
  return ide::outlineOf("test", {}, of->sources, of.tree());
}

/// All examples, which have every part of the language.
std::vector<std::string> examples() {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(TIKC_SOURCE_DIR "/examples"))
    if (entry.path().native().ends_with(".tikc.yaml"))
      out.push_back(llvm::cantFail(readFile(entry.path(), Limits{})).text);
  return out;
}

void expectWithin(const Symbol& symbol, const Symbol* around) {
  EXPECT_TRUE(symbol.whole.contains(symbol.named)) << symbol.name;
  if (around) {
    EXPECT_TRUE(around->whole.contains(symbol.whole)) << symbol.name;
  }
  for (const Symbol& inner : symbol.children)
    expectWithin(inner, &symbol);
}

TEST(Places, AreWithinTheTextAndInOrder) {
  std::vector<std::string> texts = examples();
  ASSERT_FALSE(texts.empty());
  for (const std::string& text : texts) {
    Analysed of(text);
    auto outline = outlined(of);
    auto size = static_cast<std::uint32_t>(text.size());
    std::uint32_t done = 0;
    for (const SemanticToken& token : tokensOf(*outline, *of, {0, size})) {
      EXPECT_LE(done, token.begin);
      EXPECT_LT(token.begin, token.end);
      done = token.end;
    }
    EXPECT_LE(done, size);
    for (const FoldableRange& fold : foldsIn(text, of.tree()))
      EXPECT_TRUE(fold.begin <= fold.end && fold.end <= size);
    for (const Symbol& symbol : symbolsIn(*outline, of.tree()))
      expectWithin(symbol, nullptr);
    for (const Hint& hint : hintsIn(*of, {0, size}))
      EXPECT_LE(hint.offset, size);
  }
}

TEST(Places, WhatIsToldOfOneIsAtIt) {
  for (const std::string& text : examples()) {
    Analysed of(text);
    for (std::uint32_t offset = 0; offset <= text.size(); offset += 7) {
      std::vector<Span> around = selectionsAt(*of, offset);
      ASSERT_FALSE(around.empty());
      for (std::size_t i = 1; i < around.size(); ++i)
        EXPECT_TRUE(around[i - 1].contains(around[i]) && around[i - 1] != around[i]);
      if (auto hover = hoverAt(*of, offset, false)) {
        EXPECT_TRUE(hover->span.begin <= offset && offset <= hover->span.end);
        EXPECT_FALSE(hover->text.empty());
      }
    }
  }
}

TEST(Folds, JoinCommentsOnLinesThatFollowOneAnother) {
  for (std::string_view end : {"\n", "\r\n"}) {
    std::string text;
    for (std::string_view line : {"# one", "# two", "", "# three", "tikc: v1 # not", "# four"})
      text.append(line).append(end);
    Analysed of(text);
    std::vector<std::string_view> comments;
    for (const FoldableRange& fold : foldsIn(text, of.tree()))
      if (fold.kind == FoldableRange::Kind::Comment)
        comments.push_back(of.text(fold.begin, fold.end));
    std::string first = "# one" + std::string(end) + "# two";
    EXPECT_THAT(comments, ::testing::ElementsAre(first, "# three", "# not", "# four"));
  }
}

TEST(Links, NameAPageOfTheWebWhereverTheTextIs) {
  Analysed of(
      "# yaml-language-server: $schema=https://example.com/s.json\nextends: base.tikc.yaml\n");
  std::vector<DocumentLink> links = linksIn(*of, {});
  ASSERT_EQ(links.size(), 1U); // what is no file names no other
  EXPECT_EQ(links[0].page, "https://example.com/s.json");
  EXPECT_TRUE(links[0].file.empty());
}

} // namespace
} // namespace tikc::ide::testing
