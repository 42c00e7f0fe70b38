#include "page/Chart.h"

#include "support/Escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::page {
namespace {

constexpr double spreads = 60; // times as large: then powers of ten tell more

struct LineKind {
  std::string_view light, dark, dashes;
};
constexpr LineKind kinds[lineKinds] = {
    {"#2456c4", "#84acff", "none"}, {"#0f766e", "#4fd1c5", "7 3"},
    {"#7c3aed", "#c0a5ff", "2 3"},  {"#be185d", "#f28cba", "10 3 2 3"},
    {"#4d5a70", "#a9b6cb", "4 4"},  {"#4d7c0f", "#a8cf5a", "1 4"},
};

constexpr std::string_view shapes = R"(
svg .series { fill: none; stroke-width: 2; stroke-linejoin: round; }
svg .band { stroke: none; opacity: .16; }
svg .whisker { stroke-width: 5; stroke-linecap: round; opacity: .45; }
svg .range { stroke-width: 1.25; }
svg .faint { stroke-width: 1.25; opacity: .55; }
svg .against { stroke-width: 1.5; stroke-dasharray: 3 2; }
svg .bound { stroke-width: 1.5; stroke-dasharray: 6 4; }
svg .mark { stroke-width: 1.75; }
)";

/// A class, what of it has the colour, and that in the light and in the dark.
struct MarkColour {
  std::string_view rule, light, dark;
};
constexpr MarkColour marks[] = {
    {"svg .mark.satisfied, svg .mark.violated { stroke", "#ffffff", "#11151d"},
    {"svg .mark.undecided { fill", "#ffffff", "#11151d"},
    {"svg .mark.satisfied { fill", "#15803d", "#5fd08a"},
    {"svg .mark.violated { fill", "#b91c1c", "#f58e8e"},
    {"svg .mark.undecided { stroke", "#92580a", "#efbe62"},
    {"svg text.violated { fill", "#b91c1c", "#f58e8e"},
    {"svg text.undecided { fill", "#92580a", "#efbe62"},
    {"svg text.satisfied { fill", "#15803d", "#5fd08a"},
    {"svg .whisker, svg .range, svg .against { stroke", "#55617a", "#9aa6bd"},
    {"svg .bound { stroke", "#b91c1c", "#f58e8e"},
    {"svg text.asked { fill", "#b91c1c", "#f58e8e"},
};

std::string colours(bool isDark) {
  std::string out;
  for (std::size_t i = 0; i < lineKinds; ++i) {
    const std::string_view colour = isDark ? kinds[i].dark : kinds[i].light;
    out += fmt::format("svg .s{0} {{ stroke: {1}; }}\nsvg text.s{0}, svg .band.s{0} {{ fill: {1}; "
                       "stroke: none; }}\n",
                       i, colour);
  }
  for (const MarkColour& each : marks)
    out += fmt::format("{}: {}; }}\n", each.rule, isDark ? each.dark : each.light);
  return out;
}

bool isPoint(const std::pair<double, double>& at) {
  return std::isfinite(at.first) && std::isfinite(at.second);
}

} // namespace

Ruler Ruler::around(std::vector<double> values, double from, double to) {
  std::erase_if(values, [](double each) { return !std::isfinite(each); });
  if (values.empty())
    return {0, 1, from, to};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  double low = *least, high = *most;
  if (low > 0 && high / low > spreads) {
    Ruler out(std::log10(low) - 0.1, std::log10(high) + 0.1, from, to);
    out.isOfPowers_ = true;
    return out;
  }
  // Nothing is far from what, if one does not see how far it is from nothing.
  if (low > 0 && low < 0.4 * high)
    low = 0;
  if (high < 0 && high > 0.4 * low)
    high = 0;
  // So large that their distance is no number, or so near that there is none.
  double air = 0.08 * (high - low);
  if (!std::isfinite(air))
    return {-1, 1, from, to};
  if (!(air > 1e-12 * std::max(std::abs(low), std::abs(high))))
    air = high == 0 ? 1 : 0.1 * std::abs(high);
  return {low == 0 ? 0 : low - air, high == 0 && low < 0 ? 0 : high + air, from, to};
}

double Ruler::at(double value) const {
  const double out = scale_.at(isOfPowers_ ? std::log10(value) : value);
  return std::clamp(out, std::min(scale_.from, scale_.to), std::max(scale_.from, scale_.to));
}

bool Ruler::holds(double value) const {
  const double place = isOfPowers_ ? std::log10(value) : value;
  return place >= scale_.low && place <= scale_.high;
}

std::vector<double> Ruler::ticks() const {
  if (!isOfPowers_)
    return explain::ticksOf(scale_);
  std::vector<double> out;
  const double step = std::max(1.0, std::ceil((scale_.high - scale_.low) / 6));
  for (double power = std::ceil(scale_.low); power <= scale_.high; power += step)
    out.push_back(std::pow(10, power));
  return out;
}

void Canvas::text(double x, double y, std::string_view style, std::string_view text) {
  out_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style, x, y,
                      escape::html(text));
}

void Canvas::line(double x1, double y1, double x2, double y2, std::string_view style) {
  out_ += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f} L{:.1f} {:.1f}\"/>\n", style, x1, y1,
                      x2, y2);
}

void Canvas::path(const std::vector<std::pair<double, double>>& points, std::string_view style) {
  std::string path;
  bool isDown = false;
  for (const auto& each : points) {
    if (isPoint(each))
      path += fmt::format("{}{:.1f} {:.1f}", isDown ? 'L' : 'M', each.first, each.second);
    isDown = isPoint(each);
  }
  if (!path.empty())
    out_ += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", style, path);
}

void Canvas::band(const std::vector<std::pair<double, double>>& upper,
                  const std::vector<std::pair<double, double>>& lower, std::string_view style) {
  std::vector<std::pair<double, double>> all(upper);
  all.insert(all.end(), lower.rbegin(), lower.rend());
  if (std::all_of(all.begin(), all.end(), isPoint))
    path(all, style);
}

void Canvas::mark(double x, double y, verdict value, std::string_view title) {
  const std::string shape =
      value == verdict::violated
          ? fmt::format("<path class=\"mark violated\" d=\"M{:.1f} {:.1f} l6 6 -6 6 -6 -6z\">", x,
                        y - 6)
          : fmt::format("<circle class=\"mark {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\">",
                        value == verdict::satisfied ? "satisfied" : "undecided", x, y);
  out_ += fmt::format("{}<title>{}</title></{}>\n", shape, escape::html(title),
                      value == verdict::violated ? "path" : "circle");
}

void Canvas::scaleBelow(const Ruler& ruler, std::pair<double, double> across, double top,
                        double bottom, std::string_view unit) {
  for (double tick : ruler.ticks()) {
    line(ruler.at(tick), top, ruler.at(tick), bottom, "grid");
    text(ruler.at(tick), bottom + 18, "tick middle", explain::tickText(tick));
  }
  line(across.first, bottom, across.second, bottom, "axis");
  text((across.first + across.second) / 2, bottom + 36, "title middle",
       unit.empty() ? "value" : unit);
}

explain::Picture Canvas::take(double width, double height) {
  return {width, height, std::move(out_)};
}

std::string chartStyle() {
  return std::string(shapes) + colours(false) + "@media (prefers-color-scheme: dark) {\n" +
         colours(true) + "}\n";
}

} // namespace tikc::page
