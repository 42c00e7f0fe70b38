#include "explain/Axes.h"
#include "explain/Pictures.h"
#include "explain/Words.h"
#include "support/Escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tikc::explain {
namespace {

constexpr double width = 540, height = 290;
constexpr double left = 66, right = width - 18, top = 40, bottom = height - 50;
constexpr double axisLetter = 6.7; // of 11 px

class Plotter {
public:
  explicit Plotter(const Plot& plot) : plot_(plot) {
    for (const Plot::Point& point : plot.points)
      if (point.y && !point.isFree)
        values_.push_back(valueOf(point));
    findScales();
  }

  Picture take() {
    addAxes();
    addLimit();
    addMost();
    addCurve();
    addHere();
    addLegend();
    return {width, height, std::move(out_)};
  }

private:
  struct Value {
    double x = 0, y = 0;
  };

  static double number(const Rational& value, const Plot::Axis& axis) {
    return Rational(value / axis.notation.scale).get_d();
  }

  Value valueOf(const Plot::Point& point) const {
    return {number(point.x, plot_.across),
            point.isFree ? std::numeric_limits<double>::infinity() : number(*point.y, plot_.up)};
  }

  /// A bound that runs away would flatten everything else.
  void findScales() {
    across_ = {0, plot_.points.empty() ? 1 : number(plot_.points.back().x, plot_.across), left,
               right};
    double low = 0, high = 0, least = 0, reference = 0;
    if (plot_.limit)
      reference = number(*plot_.limit, plot_.up);
    if (plot_.here)
      reference = std::max(reference, number(plot_.here->second, plot_.up));
    double lowest = values_.empty() ? reference : values_.front().y;
    for (const Value& value : values_) {
      high = std::max(high, value.y);
      lowest = std::min(lowest, value.y);
    }
    least = std::min(reference, lowest);
    // All of the curve may lie above what is declared.
    if (double shown = std::max(reference, lowest); shown > 0)
      high = std::max(shown, std::min(high, 3 * shown));
    if (high <= 0)
      high = 1;
    // A share that stays near 1 would be a flat line over an empty page.
    if (least > 0.4 * high && least < high)
      low = std::max(0.0, least - 0.2 * (high - least));
    if (across_.high <= 0)
      across_.high = 1;
    up_ = {low, high + 0.08 * (high - low), bottom, top};
  }

  void addAxes() {
    for (double tick : ticksOf(up_))
      out_ += fmt::format("<path class=\"grid\" d=\"M{} {:.1f} H{}\"/><text class=\"tick end\" "
                          "x=\"{}\" y=\"{:.1f}\">{}</text>\n",
                          left, up_.at(tick), right, left - 8, up_.at(tick) + 4, tickText(tick));
    for (double tick : ticksOf(across_))
      out_ += fmt::format("<path class=\"axis\" d=\"M{:.1f} {} v5\"/><text class=\"tick middle\" "
                          "x=\"{:.1f}\" y=\"{}\">{}</text>\n",
                          across_.at(tick), bottom, across_.at(tick), bottom + 19, tickText(tick));
    out_ +=
        fmt::format("<path class=\"axis\" d=\"M{0} {1} V{2} H{3}\"/>\n", left, top, bottom, right);
    out_ += fmt::format("<text class=\"title middle\" x=\"{:.1f}\" y=\"{}\">{}</text>\n",
                        (left + right) / 2, height - 10, escape::html(titleOf(plot_.across)));
    out_ += fmt::format(
        "<text class=\"title middle\" transform=\"translate(15 {:.1f}) rotate(-90)\">{}</text>\n",
        (top + bottom) / 2, escape::html(titleOf(plot_.up)));
  }

  static std::string titleOf(const Plot::Axis& axis) {
    return axis.notation.symbol.empty() ? axis.title
                                        : fmt::format("{} ({})", axis.title, axis.notation.symbol);
  }

  void addLimit() {
    if (!plot_.limit)
      return;
    out_ += fmt::format("<path class=\"limit\" d=\"M{} {:.1f} H{}\"/>\n", left,
                        up_.at(number(*plot_.limit, plot_.up)), right);
  }

  void addMost() {
    if (!plot_.most || number(*plot_.most, plot_.across) > across_.high)
      return;
    out_ += fmt::format("<path class=\"most\" d=\"M{:.1f} {} V{}\"/>\n",
                        across_.at(number(*plot_.most, plot_.across)), top, bottom);
  }

  /// Where the curve leaves the page, it goes on along the edge, which is marked; where there is no
  /// bound, it has a gap.
  void addCurve() {
    std::string path, beyond;
    bool isDown = false, isDownBeyond = false, hasBefore = false;
    Value before;
    for (const Plot::Point& point : plot_.points) {
      if (!point.y && !point.isFree) {
        isDown = isDownBeyond = hasBefore = false;
        continue;
      }
      Value value = valueOf(point);
      bool isInside = value.y <= up_.high;
      if (hasBefore && isInside != (before.y <= up_.high)) {
        Value edge{crossing(before, value), up_.high};
        draw(path, isDown, edge);
        draw(beyond, isDownBeyond, edge);
      }
      if (isInside)
        draw(path, isDown, value);
      else
        draw(beyond, isDownBeyond, {value.x, up_.high});
      isDown = isInside;
      isDownBeyond = !isInside;
      hasBefore = true;
      before = value;
    }
    if (!path.empty())
      out_ += fmt::format("<path class=\"curve\" d=\"{}\"/>\n", path);
    isBeyond_ = !beyond.empty() && !plot_.beyondLabel.empty();
    if (isBeyond_)
      out_ += fmt::format("<path class=\"curve beyond\" d=\"{}\"/>\n", beyond);
  }

  /// Where a line from one to the other meets the upper edge; to what is endless it is upright.
  double crossing(const Value& a, const Value& b) const {
    if (std::isinf(a.y) || std::isinf(b.y))
      return std::isinf(a.y) ? b.x : a.x;
    return a.x + (up_.high - a.y) / (b.y - a.y) * (b.x - a.x);
  }

  void draw(std::string& path, bool& isDown, const Value& value) const {
    path +=
        fmt::format("{}{:.1f} {:.1f} ", isDown ? 'L' : 'M', across_.at(value.x), up_.at(value.y));
    isDown = true;
  }

  void addHere() {
    if (!plot_.here)
      return;
    double x = number(plot_.here->first, plot_.across), y = number(plot_.here->second, plot_.up);
    if (x <= across_.high && y <= up_.high)
      out_ += fmt::format("<circle class=\"here\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>\n",
                          across_.at(x), up_.at(y));
  }

  void addLegend() {
    double x = left;
    auto add = [&](std::string_view mark, const std::string& text) {
      if (text.empty())
        return;
      out_ += fmt::format("<g transform=\"translate({:.1f} 18)\">{}<text class=\"tick\" x=\"28\" "
                          "y=\"4\">{}</text></g>\n",
                          x, mark, escape::html(text));
      x += 28 + static_cast<double>(text.size()) * axisLetter + 16;
    };
    add("<path class=\"limit\" d=\"M0 0 h22\"/>", plot_.limitLabel);
    if (isBeyond_)
      add("<path class=\"curve beyond\" d=\"M0 0 h22\"/>", plot_.beyondLabel);
    add("<circle class=\"here\" cx=\"14\" cy=\"0\" r=\"4.5\"/>", plot_.here ? "as declared" : "");
    add("<path class=\"most\" d=\"M14 -7 v14\"/>", plot_.mostLabel);
  }

  const Plot& plot_;
  std::vector<Value> values_;
  Scale across_, up_;
  bool isBeyond_ = false;
  std::string out_;
};

} // namespace

Picture drawPlot(const Plot& plot) { return Plotter(plot).take(); }

Plot plotOf(const Chapter& chapter, const Reach& reach) {
  Plot out;
  out.across = {reach.ground.name, reach.notation};
  out.up = {chapter.says, {}};
  for (const Point& point : reach.curve)
    out.points.push_back({point.tolerance, point.bound});
  out.limit = chapter.budget;
  out.limitLabel = "budget " + chapter.wording.limit;
  if (const ChainStep* result = chapter.result())
    out.here = {reach.declared, result->bound};
  out.most = reach.extent.largest;
  if (reach.extent.largest)
    out.mostLabel = "largest " + reachText(reach);
  return out;
}

} // namespace tikc::explain
