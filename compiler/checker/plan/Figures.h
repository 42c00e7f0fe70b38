#pragma once

#include "tikc/figures.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// The runtime's table of figures, with the names that plans use.
namespace tikc::plan {

enum class Figure : std::uint8_t {
#define TIKC_FIGURE(Id, ...) Id,
#define TIKC_WINDOW(Id, ...) Id,
#include "tikc/figures.def"
};

struct FigureInfo {
  Figure figure;
  std::string_view name;
  tikc::source source;
  figure_range range{};
  std::string_view unit;
  // For tokens: how the figure depends on x, and the token_want that sums it, or its squares; or
  // `none`.
  tikc::course course = tikc::course::apart;
  averaging averaged = averaging::never;
  std::string_view total = "none", squares = "none";
  /// For figures of a window: their estimator, and the want that it needs.
  std::optional<tikc::estimator> estimator = {};
  std::string_view moments = {};

  constexpr bool isOfWindow() const { return estimator.has_value(); }
};

inline constexpr FigureInfo figureTable[] = {
#define TIKC_FIGURE(Id, name, of, range, unit, says)                                               \
  {Figure::Id, #name, source::of, figure_range::range, unit},
#define TIKC_TOKEN(Id, name, range, unit, how, total, squares, averaged, says)                     \
  {Figure::Id,          #name,  source::tokens, figure_range::range, unit, course::how,            \
   averaging::averaged, #total, #squares},
#define TIKC_WINDOW(Id, name, estimates, want)                                                     \
  {Figure::Id, #name,  source::tokens,       {},   {}, course::apart, averaging::never,            \
   "none",     "none", estimator::estimates, #want},
#include "tikc/figures.def"
};

constexpr const FigureInfo& info(Figure figure) {
  return figureTable[static_cast<std::size_t>(figure)];
}

} // namespace tikc::plan
