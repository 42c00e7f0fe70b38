#include "driver/ExplainName.h"

#include "bounds/facts/Lemma.h"
#include "model/Glossary.h"
#include "model/Keys.h"
#include "model/Metrics.h"
#include "project/Settings.h"
#include "support/Names.h"

#include <gtest/gtest.h>

namespace tikc::driver {
namespace {

constexpr model::Shape shapes[] = {
#define SHAPE(Name, ...) model::Shape::Name,
#include "model/Shapes.def"
};

void expectPage(std::string_view name) {
  EXPECT_FALSE(pagesOfName(name, false).empty()) << name;
  EXPECT_FALSE(pagesOfName(name, true).empty()) << name;
}

TEST(ExplainName, EveryRowOfTheTablesOfMeasuresHasAPage) {
  for (const auto& row : model::metrics())
    expectPage(row.symbol);
  for (const auto& row : model::claims())
    expectPage(row.symbol);
  for (const auto& row : model::aggregates())
    expectPage(row.name);
  for (const auto& row : model::fields())
    expectPage(row.symbol);
  for (const auto& row : model::units())
    if (!row.symbol.empty())
      expectPage(row.symbol);
}

TEST(ExplainName, EveryCallAndWhatItTakesHasAPage) {
  for (const auto& call : model::calls()) {
    expectPage(call.name);
    for (const auto& row : model::parameters(call.id))
      expectPage(row.name);
  }
}

TEST(ExplainName, EveryKeyAndWordHasAPage) {
  for (std::size_t map = 0; map < model::mapCount; ++map)
    for (const auto& row : model::keys(static_cast<model::Map>(map)))
      expectPage(row.key);
  for (model::Shape shape : shapes)
    for (std::string_view word : splitWords(model::info(shape).words))
      expectPage(word);
}

TEST(ExplainName, WhatSettingsSayAndOtherToolsCallThingsHasAPage) {
  for (const project::ProfileInfo& row : project::profiles())
    expectPage(row.name);
  for (const auto& row : model::aliases())
    expectPage(row.written);
}

TEST(ExplainName, EveryLemmaHasAPage) {
  for (const bounds::Lemma* lemma : bounds::allLemmas())
    expectPage(lemma->id);
}

TEST(ExplainName, EveryTermOfTheGlossaryHasAPageInOrder) {
  std::string_view before;
  for (const model::GlossaryTerm& row : model::glossary) {
    expectPage(row.term);
    EXPECT_LT(before, row.term);
    before = row.term;
  }
}

TEST(ExplainName, WhatTheLanguageLacksHasNone) {
  for (std::string_view name : {"", "zzz", "metric", "TK4002"})
    EXPECT_TRUE(pagesOfName(name, false).empty()) << name;
}

} // namespace
} // namespace tikc::driver
