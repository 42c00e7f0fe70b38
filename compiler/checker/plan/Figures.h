#pragma once

#include "tikc/figures.h"

#include <cstdint>
#include <string_view>

/// The runtime's table of figures, with the names that plans use.
namespace tikc::plan {

/// The observation that a figure belongs to.
enum class StreamSource : std::uint8_t { Rows, Routes, Tokens, Sequences, Requests, Replays };

enum class Figure : std::uint8_t {
#define TIKC_FIGURE(Id, ...) Id,
#define TIKC_WINDOW(Id, ...) Id,
#include "tikc/figures.def"
};

struct FigureInfo {
  Figure figure;
  std::string_view name;
  StreamSource source;
  figure_range range{};
  std::string_view unit;
  // For tokens: how the figure depends on x, and the token_want that sums it, or its squares; or
  // `none`.
  tikc::course course = tikc::course::apart;
  averaging averaged = averaging::never;
  std::string_view total = "none", squares = "none";
  /// For figures of a window: the runtime's name of their estimator, and the want that it needs.
  std::string_view estimator = {}, moments = {};

  constexpr bool isOfWindow() const { return !estimator.empty(); }
};

constexpr StreamSource sourceOf(tikc::source value) {
  switch (value) {
  case tikc::source::rows:
    return StreamSource::Rows;
  case tikc::source::routes:
    return StreamSource::Routes;
  case tikc::source::tokens:
    return StreamSource::Tokens;
  case tikc::source::sequences:
    return StreamSource::Sequences;
  case tikc::source::requests:
    return StreamSource::Requests;
  case tikc::source::replays:
    return StreamSource::Replays;
  }
  return {};
}

inline constexpr FigureInfo figureTable[] = {
#define TIKC_FIGURE(Id, name, of, range, unit, says)                                               \
  {Figure::Id, #name, sourceOf(source::of), figure_range::range, unit},
#define TIKC_TOKEN(Id, name, range, unit, how, total, squares, averaged, says)                     \
  {Figure::Id,          #name,  StreamSource::Tokens,                                              \
   figure_range::range, unit,   course::how,                                                       \
   averaging::averaged, #total, #squares},
#define TIKC_WINDOW(Id, name, estimates, want)                                                     \
  {Figure::Id, #name,  StreamSource::Tokens, {},   {}, course::apart, averaging::never,            \
   "none",     "none", #estimates,           #want},
#include "tikc/figures.def"
};

constexpr const FigureInfo& info(Figure figure) {
  return figureTable[static_cast<std::size_t>(figure)];
}

} // namespace tikc::plan
