#include "driver/ExplainName.h"

#include "bounds/facts/Lemma.h"
#include "ide/hover/Cards.h"
#include "model/Glossary.h"
#include "support/Names.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::driver {
namespace {

struct Word {
  std::string_view word, meaning;
};
constexpr Word grammarTable[] = {
#define GRAMMAR(word, meaning) {word, meaning},
#include "model/GrammarWords.def"
};
constexpr Word fixtureTable[] = {
#define FIXTURE_WORD(word, meaning) {word, meaning},
#include "model/FixtureWords.def"
};
constexpr Word settingTable[] = {
#define SETTING(reader, key, meaning) {key, meaning},
#include "project/Settings.def"
};
constexpr Word profileWords[] = {
#define PROFILE(Name, name, note, warning, error, meaning) {name, meaning},
#include "project/Profiles.def"
};
constexpr Word wordTable[] = {
#define WORD(Shape, word, meaning) {word, meaning},
#include "model/Words.def"
};

/// What stands for a name of other tools, in one sense of it.
void tellAliases(ide::Card& card, model::AliasOf target, std::string_view name) {
  card.title(name, fmt::format(", a name that other tools use for {}", model::aliasKind(target)));
  for (const model::AliasInfo& row : model::findAliases(target, name)) {
    std::string what = row.instead.empty() ? std::string(row.says)
                       : row.says.empty()  ? fmt::format("`{}`", row.instead)
                                           : fmt::format("`{}`: {}", row.instead, row.says);
    card.item(row.isSame ? what + " (the same)" : what);
  }
}

/// Calls take(name, tell) for each row of the language's tables.
void forEachName(auto take) {
  using ide::Card;
  for (const auto& row : model::metrics())
    take(row.symbol, [&](Card& card) { ide::tellMetric(card, row); });
  for (const auto& row : model::claims())
    take(row.symbol, [&](Card& card) { ide::tellClaimQuantity(card, row); });
  for (const auto& row : model::aggregates())
    take(row.name, [&](Card& card) { ide::tellAggregate(card, row); });
  for (const auto& row : model::fields())
    take(row.symbol, [&](Card& card) { ide::tellField(card, row); });
  for (const auto& row : model::calls())
    take(row.name, [&](Card& card) { ide::tellCall(card, row); });
  for (const auto& call : model::calls())
    for (const auto& row : model::parameters(call.id))
      take(row.name, [&](Card& card) { ide::tellParameter(card, call, row); });
  for (const auto& row : model::units())
    if (!row.symbol.empty())
      take(row.symbol, [&](Card& card) { ide::tellUnit(card, row); });
  for (const Word& row : wordTable)
    take(row.word, [&](Card& card) { card.title(row.word, fmt::format(": {}", row.meaning)); });
  constexpr auto lastMap = static_cast<std::size_t>(model::Map::Expectation); // of tests, too
  for (std::size_t map = 0; map <= lastMap; ++map)
    for (const auto& row : model::keys(static_cast<model::Map>(map)))
      take(row.key, [&](Card& card) { ide::tellKey(card, row); });
  for (const Word& row : grammarTable)
    take(row.word, [&](Card& card) {
      card.title(row.word, fmt::format(", a word of expressions: {}", row.meaning));
    });
  for (const Word& row : fixtureTable)
    take(row.word, [&](Card& card) {
      card.title(row.word, ", a word of tests of an escalation").text(row.meaning);
    });
  for (const Word& row : settingTable)
    take(row.word,
         [&](Card& card) { card.title(row.word, ", a setting in tikc.yaml").text(row.meaning); });
  for (const Word& row : profileWords)
    take(row.word,
         [&](Card& card) { card.title(row.word, ", a profile of tikc.yaml").text(row.meaning); });
  for (const bounds::Lemma* lemma : bounds::allLemmas())
    take(lemma->id, [&](Card& card) {
      card.title(lemma->id, ", a lemma").text(lemma->statement);
      card.item(fmt::format("formula: {}", card.ticked(lemma->formula)));
      card.item(fmt::format("{} shows its hypotheses, and computes it",
                            card.ticked(fmt::format("tikc bound {}", lemma->id))));
    });
  for (const model::GlossaryTerm& row : model::glossary)
    take(row.term, [&](Card& card) {
      card.title(row.term, ", a term of the documentation").text(row.meaning);
    });
  const model::AliasInfo* before = nullptr;
  for (const model::AliasInfo& row : model::aliases()) {
    if (!before || before->kind != row.kind || before->written != row.written)
      take(row.written, [&](Card& card) { tellAliases(card, row.kind, row.written); });
    before = &row;
  }
}

/// The names of other tools are found in any case, and with dashes.
bool isName(std::string_view each, std::string_view wanted) {
  return each == wanted || each == folded(wanted);
}

} // namespace

std::vector<std::string> pagesOfName(std::string_view name, bool isMarkdown) {
  std::vector<std::string> out;
  forEachName([&](std::string_view each, auto tell) {
    if (!isName(each, name))
      return;
    ide::Card card(isMarkdown);
    tell(card);
    out.push_back(card.take());
  });
  return out;
}

std::vector<std::string_view> namesWithPages() {
  std::vector<std::string_view> out;
  forEachName([&](std::string_view each, auto) { out.push_back(each); });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

} // namespace tikc::driver
