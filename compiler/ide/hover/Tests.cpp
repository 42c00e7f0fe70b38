#include "ide/hover/Tests.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

namespace tikc::ide {
namespace {

using model::Map;
using model::Shape;

struct FixtureWord {
  std::string_view word, meaning;
};
constexpr FixtureWord fixtureWords[] = {
#define FIXTURE_WORD(word, meaning) {word, meaning},
#include "model/FixtureWords.def"
};

/// The word of a sequence, as it is written.
Span wordAt(const Analysis& analysis, const Span& within, std::uint32_t offset) {
  const std::string& text = analysis.sources->get(analysis.file).text;
  auto isPart = [&](std::uint32_t at) {
    return llvm::isAlnum(text[at]) || text[at] == '*' || text[at] == '_';
  };
  Span out{within.file, offset, offset};
  while (out.begin > within.begin && isPart(out.begin - 1))
    --out.begin;
  while (out.end < within.end && isPart(out.end))
    ++out.end;
  return out;
}

void tellVerdict(Card& card, std::string_view word) {
  if (std::string_view meaning = model::meaningOf(Shape::VerdictWord, word); !meaning.empty())
    card.title(word, fmt::format(": {}", meaning));
  for (const FixtureWord& row : fixtureWords)
    if (row.word == word)
      card.title(word, fmt::format(": {}", row.meaning));
}

void tellTestedClause(Card& card, const Analysis& analysis, std::string_view name) {
  for (const auto& contract : analysis.tested)
    for (const model::Clause& clause : contract->clauses)
      if (clause.id.text == name && card.isEmpty())
        card.title(name, fmt::format(", a clause of {}", model::familyName(clause.family)))
            .code(print(clause.written));
}

void tellTestedRule(Card& card, const Analysis& analysis, std::string_view name) {
  for (const auto& contract : analysis.tested)
    for (const model::Rule& rule : contract->rules) {
      if (rule.id.text != name || !rule.when || !card.isEmpty())
        continue;
      card.title(name, ", a rule").code("when: " + print(*rule.when));
      if (rule.until)
        card.code("until: " + print(*rule.until));
    }
}

void tellTestedSlice(Card& card, const Analysis& analysis, std::string_view name) {
  for (const auto& contract : analysis.tested)
    for (const model::Slice& slice : contract->slices)
      if (slice.name.text == name && card.isEmpty())
        tellSlice(card, *contract, slice);
}

void tellScalar(Card& card, const Analysis& analysis, const NodePath& path, std::string_view word) {
  const model::KeyInfo* row = path.keyInfo();
  std::string_view name = path.last().value;
  if (path.shape() == Shape::VerdictSequence || path.shape() == Shape::VerdictWord)
    tellVerdict(card, word.substr(0, word.find('*')));
  else if (row && row->map == Map::PolicyTest && row->key == "slice")
    tellTestedSlice(card, analysis, name);
  else if (row && row->map == Map::Expectation && path.shape() == Shape::Identifier)
    tellTestedRule(card, analysis, name);
  else if (path.shape() == Shape::TrafficAction)
    tellVerdict(card, name);
  if (card.isEmpty() && row)
    tellKey(card, *row);
}

} // namespace

std::optional<Span> tellInTests(Card& card, const Analysis& analysis, std::uint32_t offset) {
  auto path =
      analysis.checked.tree ? pathAt(*analysis.checked.tree, offset, Shape::Fixture) : std::nullopt;
  if (!path)
    return std::nullopt;
  if (path->key) {
    const std::string& name = path->key->key->value;
    if (const model::KeyInfo* row = path->keyInfo())
      tellKey(card, *row);
    else if (path->shape() == Shape::VerdictSequences)
      tellTestedClause(card, analysis, name);
    return path->key->key->span;
  }
  if (path->last().kind != yaml::Node::Kind::Scalar)
    return std::nullopt;
  Span at = path->last().span;
  if (path->shape() == Shape::VerdictSequence)
    at = wordAt(analysis, at, offset);
  tellScalar(card, analysis, *path, analysis.sources->text(at));
  return at;
}

} // namespace tikc::ide
