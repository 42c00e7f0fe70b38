#include "bounds/facts/Lemma.h"

#include "bounds/facts/Facts.h"
#include "support/Check.h"

#include <algorithm>
#include <vector>

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
#include "bounds/lemmas/Lemmas.def"
  };
  return rows;
}

const Lemma* findLemma(std::string_view id) {
  for (const Lemma* lemma : allLemmas())
    if (lemma->id == id)
      return lemma;
  return nullptr;
}

std::span<const Section> sections() {
  static const std::vector<Section> found = [] {
    struct Row {
      std::string_view title; // empty: a lemma
    };
#define SECTION(title) Row{title},
#define LEMMA(symbol) Row{},
    static constexpr Row rows[] = {
#include "bounds/lemmas/Lemmas.def"
    };
    std::vector<Section> out;
    std::size_t first = 0, next = 0;
    for (const Row& row : rows) {
      next += row.title.empty();
      if (!row.title.empty()) {
        out.push_back({row.title, {}});
        first = next;
      }
      out.back().lemmas = allLemmas().subspan(first, next - first);
    }
    return out;
  }();
  return found;
}

const QuantityInfo& info(Quantity quantity) {
#define QUANTITY(Id, symbol, level, kind, side, cap, meaning)                                      \
  {Quantity::Id,                                                                                   \
   symbol,                                                                                         \
   QuantityInfo::Level::level,                                                                     \
   QuantityInfo::Kind::kind,                                                                       \
   QuantityInfo::Side::side,                                                                       \
   cap,                                                                                            \
   meaning},
  static constexpr QuantityInfo rows[] = {
#include "bounds/facts/Quantities.def"
  };
  return rows[static_cast<std::size_t>(quantity)];
}

const Rational& mostOf(Quantity quantity) {
  TIKC_CHECK(hasCap(quantity), "the quantity has a cap");
  static const auto all = [] {
    std::array<Rational, quantityCount> out;
    for (std::size_t i = 0; i < quantityCount; ++i)
      out[i] = parseDecimal(info(static_cast<Quantity>(i)).cap).value_or(Rational(0));
    return out;
  }();
  return all[static_cast<std::size_t>(quantity)];
}

} // namespace tikc::bounds
