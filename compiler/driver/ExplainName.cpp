#include "driver/ExplainName.h"

#include "lsp/HoverCards.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::driver {
namespace {

struct Word {
  std::string_view word, meaning;
};
constexpr Word wordTable[] = {
#define WORD(Shape, word, meaning) {word, meaning},
#include "model/Words.def"
};

/// Calls take(name, tell) for each row of the language's tables.
void forEachName(auto take) {
  using lsp::Card;
  for (const auto& row : metrics::metrics())
    take(row.symbol, [&](Card& card) { lsp::tellMetric(card, row); });
  for (const auto& row : metrics::claims())
    take(row.symbol, [&](Card& card) { lsp::tellClaimQuantity(card, row); });
  for (const auto& row : metrics::aggregates())
    take(row.name, [&](Card& card) { lsp::tellAggregate(card, row); });
  for (const auto& row : metrics::fields())
    take(row.symbol, [&](Card& card) { lsp::tellField(card, row); });
  for (const auto& row : metrics::calls())
    take(row.name, [&](Card& card) { lsp::tellCall(card, row); });
  for (const auto& row : model::units())
    if (!row.symbol.empty())
      take(row.symbol, [&](Card& card) { lsp::tellUnit(card, row); });
  for (const Word& row : wordTable)
    take(row.word, [&](Card& card) { card.title(row.word, fmt::format(": {}", row.meaning)); });
  for (std::size_t map = 0; map < model::mapCount; ++map)
    for (const auto& row : model::keys(static_cast<model::Map>(map)))
      take(row.key, [&](Card& card) { lsp::tellKey(card, row); });
}

} // namespace

std::vector<std::string> pagesOfName(std::string_view name, bool isMarkdown) {
  std::vector<std::string> out;
  forEachName([&](std::string_view each, auto tell) {
    if (each != name)
      return;
    lsp::Card card(isMarkdown);
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
