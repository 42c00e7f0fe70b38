#include "ide/hover/Hover.h"

#include "ide/hover/Tests.h"
#include "ide/hover/Words.h"

#include <fmt/format.h>

namespace tikc::ide {
namespace {

using yaml::Node;

/// The code at a place of a comment, as suppressions name them.
std::optional<Span> tellComment(Card& card, const Analysis& analysis, std::uint32_t offset) {
  const std::string& text = analysis.sources->get(analysis.file).text;
  for (const yaml::Comment& comment : analysis.checked.tree->comments) {
    if (comment.span.begin > offset || comment.span.end < offset)
      continue;
    auto isPart = [&](std::uint32_t at) {
      return (text[at] >= 'A' && text[at] <= 'Z') || (text[at] >= '0' && text[at] <= '9');
    };
    Span word{analysis.file, offset, offset};
    while (word.begin > comment.span.begin && isPart(word.begin - 1))
      --word.begin;
    while (word.end < comment.span.end && isPart(word.end))
      ++word.end;
    if (auto code = diag::findCode(analysis.sources->text(word)))
      tellCode(card, diag::info(*code));
    return word;
  }
  return std::nullopt;
}

/// The rule whose condition a place is in; null where it is in none.
const model::Rule* ruleAsked(const HoverPlace& place) {
  const NodePath& path = place.path;
  const model::KeyInfo* row = path.keyInfo();
  bool isCondition =
      row && row->map == model::Map::Rule && (row->key == "when" || row->key == "until");
  if (!isCondition || !place.proven)
    return nullptr;
  for (const model::Rule& rule : place.proven.contract->rules)
    for (const NodeStep& step : path.steps)
      if (step.entry && rule.id.span == step.entry->key->span)
        return &rule;
  return nullptr;
}

std::optional<Span> tellKeyOf(Card& card, const HoverPlace& place) {
  const yaml::Entry& entry = *place.path.key;
  if (const model::KeyInfo* row = place.path.keyInfo()) {
    tellKey(card, *row);
    if (place.proven)
      tellUses(card, place.proven, entry.value->span);
    if (const model::Rule* rule = ruleAsked(place))
      tellProspect(card, place.proven, *rule);
  } else if (place.proven && place.path.steps.size() == 2) {
    tellName(card, place.sources(), place.sources().get(place.analysis.file).name, place.proven,
             place.path.section(), entry.key->value);
  }
  return entry.key->span;
}

/// What a name in a list or map of names stands for.
std::string_view sectionNamedBy(const model::KeyInfo& row) {
  bool namesKernels = row.map == model::Map::Pair || row.key == "chain" || row.key == "link";
  return namesKernels ? "kernels" : row.key == "slices" ? "slices" : "";
}

void tellValue(Card& card, const HoverPlace& place) {
  const Node& node = place.path.last();
  const model::KeyInfo* row = place.path.keyInfo();
  if (auto shape = place.path.shape())
    if (auto meaning = model::meaningOf(*shape, node.value); !meaning.empty()) {
      card.title(node.value, fmt::format(": {}", meaning));
      return;
    }
  if (!row)
    return;
  const auto& [analysis, path, proven] = place;
  if (proven && row->map == model::Map::Top && row->key == "contract")
    return tellContract(card, *proven.contract);
  if (std::string_view section = sectionNamedBy(*row); proven && !section.empty())
    if (tellName(card, place.sources(), place.sources().get(analysis.file).name, proven, section,
                 node.value))
      return;
  tellKey(card, *row);
  for (const NodeStep& step : path.steps)
    if (proven)
      tellUses(card, proven, step.node->span);
  if (const model::Rule* rule = ruleAsked(place))
    tellProspect(card, proven, *rule);
}

std::optional<Span> tell(Card& card, const Analysis& analysis, std::uint32_t offset) {
  if (auto word = tellComment(card, analysis, offset))
    return word;
  auto path = pathAt(*analysis.checked.tree, offset);
  if (!path)
    return std::nullopt;
  HoverPlace place{analysis, *path, provenOf(analysis, *path->document)};
  if (path->key)
    return tellKeyOf(card, place);
  const Node& node = path->last();
  if (node.kind != Node::Kind::Scalar)
    return std::nullopt;
  if (node.aliasSpan.valid()) {
    tellValue(card, place);
    return node.aliasSpan;
  }
  if (entryOf(*path) != model::GrammarEntry::None)
    if (auto expr = exprAt(*analysis.sources, node, offset)) {
      tellWord(card, place, *expr);
      // What a clause in it says is one thing, what the whole comes to another.
      bool isOfCondition = expr->kind(expr->token + 1) == expr::TokenKind::LeftParen;
      if (const model::Rule* rule = isOfCondition ? ruleAsked(place) : nullptr)
        tellProspect(card, place.proven, *rule);
      if (!card.isEmpty())
        return expr->span;
    }
  tellValue(card, place);
  return node.span;
}

} // namespace

bool isSearchedFor(const Analysis& analysis, std::uint32_t offset) {
  if (analysis.shape != model::Shape::Contract)
    return false;
  auto path = pathAt(*analysis.checked.tree, offset);
  return path && path->section() == "escalation";
}

std::optional<Hover> hoverAt(const Analysis& analysis, std::uint32_t offset, bool asMarkdown) {
  Card card(asMarkdown);
  auto span = analysis.shape == model::Shape::Fixture ? tellInTests(card, analysis, offset)
                                                      : tell(card, analysis, offset);
  if (card.isEmpty())
    return std::nullopt;
  return Hover{*span, card.take()};
}

} // namespace tikc::ide
