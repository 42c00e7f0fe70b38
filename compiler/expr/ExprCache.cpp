#include "expr/ExprCache.h"

namespace tikc::expr {

const ExprCache::Tree* ExprCache::find(ExprEntry entry, std::string_view text,
                                       const Limits& limits) {
  if (limits != limits_) {
    young_ = old_ = {};
    limits_ = limits;
  }
  auto index = static_cast<std::size_t>(entry);
  if (auto known = young_.trees[index].find(text); known != young_.trees[index].end())
    return &known->second;
  auto known = old_.trees[index].find(text);
  if (known == old_.trees[index].end())
    return nullptr;
  auto taken = old_.trees[index].extract(known);
  old_.bytes -= text.size();
  makeRoom(text.size());
  return &young_.trees[index].insert(std::move(taken)).position->second;
}

void ExprCache::keep(ExprEntry entry, std::string_view text, Tree tree) {
  makeRoom(text.size());
  young_.trees[static_cast<std::size_t>(entry)].emplace(text, std::move(tree));
}

void ExprCache::makeRoom(std::size_t bytes) {
  // A tree takes some fifty times the bytes of its text.
  constexpr std::size_t most = 128 << 10;
  if (young_.bytes + bytes > most)
    old_ = std::exchange(young_, {});
  young_.bytes += bytes;
}

} // namespace tikc::expr
