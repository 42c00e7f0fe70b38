#include "bounds/Lemma.h"

#include <algorithm>

namespace tikc::bounds {

std::span<const Parameter> Lemma::parameters() const {
  auto end = std::find_if(parameterRow.begin(), parameterRow.end(),
                          [](const Parameter& row) { return row.name.empty(); });
  return {parameterRow.begin(), end};
}

std::span<const Use> Lemma::uses() const {
  auto end = std::find_if(useRow.begin(), useRow.end(), [](const Use& use) {
    return use.premises.front().need == Premise::Need::Nothing;
  });
  return {useRow.begin(), end};
}

std::span<const Lemma* const> allLemmas() {
#define LEMMA(symbol) &lemmas::symbol,
  static constexpr const Lemma* rows[] = {
#include "bounds/Lemmas.def"
  };
  return rows;
}

const Lemma* findLemma(std::string_view id) {
  for (const Lemma* lemma : allLemmas())
    if (lemma->id == id)
      return lemma;
  return nullptr;
}

const QuantityInfo& info(Quantity quantity) {
  using Level = QuantityInfo::Level;
  using Side = QuantityInfo::Side;
#define QUANTITY(Id, symbol, level, side, cap, meaning)                                            \
  {Quantity::Id, symbol, Level::level, Side::side, cap, meaning},
  static constexpr QuantityInfo rows[] = {
#include "bounds/Quantities.def"
  };
  return rows[static_cast<std::size_t>(quantity)];
}

} // namespace tikc::bounds
