#include "lower/Figures.h"

namespace tikc::lower {

using model::Level;
using model::Measured;
using model::MetricId;
using plan::Figure;

namespace {

// A metric without its figure, a figure without its metric, or two rows that say different things,
// do not compile.

struct MetricRow {
  std::string_view symbol;
  Level level;
  Measured dimension;
  std::string_view low, high, parameters;
  model::Gives gives;
};

constexpr bool isLevelOf(source from, Level level) {
  switch (from) {
  case source::rows:
  case source::routes:
    return level == Level::Row;
  case source::tokens:
    return level == Level::Token;
  case source::sequences:
    return level == Level::Sequence;
  case source::requests:
  case source::replays:
    return level == Level::Request;
  }
  return false;
}

constexpr bool isRangeOf(figure_range range, const MetricRow& metric) {
  bool isFromZero = metric.low == "0";
  switch (range) {
  case figure_range::any:
    return metric.low.empty() && metric.high.empty();
  case figure_range::size:
    return isFromZero && metric.high.empty();
  case figure_range::share:
    return isFromZero && metric.high == "1";
  case figure_range::log_2:
    return isFromZero && metric.high.starts_with("0.693147180559945");
  case figure_range::times:
    return metric.low == "1" && metric.high.empty();
  case figure_range::held:
    return metric.parameters == "low|high";
  }
  return false;
}

constexpr std::string_view unitOf(Measured dimension) {
  switch (dimension) {
  case Measured::Information:
    return "nats";
  case Measured::Time:
    return "seconds";
  case Measured::TokenRate:
    return "tokens_per_second";
  case Measured::None:
  case Measured::Tokens:
  case Measured::Requests:
  case Measured::Text:
    break;
  }
  return "";
}

constexpr bool agrees(Figure figure, const MetricRow& metric) {
  const plan::FigureInfo& row = plan::info(figure);
  if (row.name != metric.symbol)
    return false;
  if (row.isOfWindow())
    return metric.level == Level::Window;
  bool isAveraged = metric.level == Level::Token && metric.parameters.empty();
  bool isHeld = metric.gives == model::Gives::Weight;
  return isLevelOf(row.source, metric.level) && isRangeOf(row.range, metric) &&
         row.unit == unitOf(metric.dimension) && (row.averaged != averaging::never) == isAveraged &&
         (row.range == figure_range::held) == isHeld;
}

#define METRIC(Id, symbol, level, dimension, low, high, better, input, parameters, gives, ...)     \
  static_assert(agrees(Figure::Id, {symbol, Level::level, Measured::dimension, low, high,          \
                                    parameters, model::Gives::gives}),                             \
                "model/Metrics.def and tikc/figures.def differ on " symbol);
#include "model/Metrics.def"

#define TIKC_FIGURE(Id, name, ...) static_assert(MetricId::Id >= MetricId{}, #name);
#define TIKC_WINDOW(Id, name, ...) static_assert(MetricId::Id >= MetricId{}, #name);
#include "tikc/figures.def"

} // namespace

Figure figureOf(MetricId metric) {
  static constexpr Figure figures[] = {
#define METRIC(Id, ...) Figure::Id,
#include "model/Metrics.def"
  };
  Figure own = figures[static_cast<std::size_t>(metric)];
  return own == Figure::DriftSlope ? Figure::K3 : own; // it is the slope of that figure's means
}

} // namespace tikc::lower
