#include "page/Chart.h"
#include "page/Panels.h"
#include "page/Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::page {
namespace {

/// Of one signal.
struct CurveGroup {
  std::vector<CheckRows> checks; // of quantiles, all of the same numbers
};

double logitOf(double level) { return std::log10(level / (1 - level)); }

std::string levelText(double level) { return fmt::format("p{:.10g}", level * 100); }

/// A bound and where it is on the curve.
struct CurveBound {
  double level = 0, value = 0;
  std::string text;
};

class CurvePicture {
public:
  CurvePicture(const PageContent& content, const CurveGroup& group)
      : content_(content), plan_(content.contract.subject.plan), of_(group),
        planned_(plan_.checks[group.checks.front().check]), bounds_(boundsOf()),
        across_(acrossOf()), up_(upOf()) {}

  explain::Picture draw() {
    addFrame();
    addCurves();
    // Texts stand above their lines, and above one another where those are near.
    std::sort(bounds_.begin(), bounds_.end(),
              [](const CurveBound& a, const CurveBound& b) { return a.value < b.value; });
    double free = bottom;
    for (const CurveBound& each : bounds_)
      free = addBound(each, free);
    return canvas_.take(width, height);
  }

  const std::vector<CurveBound>& bounds() const { return bounds_; }

private:
  static constexpr double width = 440, height = 330, left = 58, right = width - 66, top = 36,
                          bottom = height - 52;

  const measure::QuantileCurve& curveOf(const measure::Row& row) const {
    return content_.contract.measured.details.curve(row.check, row.sliceAt);
  }
  /// Of the compared measurement; null without one.
  const measure::QuantileCurve* againstOf(const measure::Row& row) const {
    const measure::MeasuredContract* const against = content_.contract.against;
    return against == nullptr ? nullptr : &against->measured.details.curve(row.check, row.sliceAt);
  }
  const std::vector<const measure::Row*>& rows() const { return of_.checks.front().rows; }
  std::size_t drawn() const { return std::min(rows().size(), lineKinds); }

  /// Of every clause about these numbers, whether it names a quantile, a share or an extreme.
  std::vector<CurveBound> boundsOf() const {
    std::vector<CurveBound> out;
    for (const measure::Row& row : content_.contract.rows) {
      const plan::Check& check = plan_.checks[row.check];
      const bool isSame = check.signal == planned_.signal && check.onMixture == planned_.onMixture;
      const bool isKnown = std::any_of(
          out.begin(), out.end(), [&](const CurveBound& each) { return each.text == textOf(row); });
      if (!isSame || isKnown)
        continue;
      for (const plan::Limit& limit : check.limits)
        if (auto bound = boundOf(check, limit)) {
          bound->text = textOf(row);
          out.push_back(std::move(*bound));
        }
    }
    return out;
  }

  static std::string textOf(const measure::Row& row) {
    return fmt::format("{}: {}", shortened(row.clause, 14), shortened(row.says, 38));
  }

  std::optional<CurveBound> boundOf(const plan::Check& check, const plan::Limit& limit) const {
    switch (check.estimator) {
    case estimator::quantile:
      return CurveBound{
          static_cast<double>(check.levelPart) / check.levelWhole, limit.bound / check.unit, {}};
    case estimator::share: {
      const plan::Register& counted = plan_.registers[check.registers.front()];
      // At most so many above it: the rest is below.
      if (!model::isAbove(counted.comparator) || !model::isBelow(limit.comparator) ||
          !(limit.bound > 0 && limit.bound < 1))
        return std::nullopt;
      return CurveBound{1 - limit.bound, counted.threshold / planned_.unit, {}};
    }
    case estimator::largest:
      return CurveBound{1, limit.bound / check.unit, {}};
    case estimator::smallest:
      return CurveBound{0, limit.bound / check.unit, {}};
    default:
      return std::nullopt;
    }
  }

  Ruler acrossOf() const {
    double low = 0.1, high = 0.9;
    for (const CurveBound& each : bounds_)
      if (each.level > 0 && each.level < 1) {
        low = std::min(low, each.level);
        high = std::max(high, each.level);
      }
    for (std::size_t i = 0; i < drawn(); ++i)
      for (const auto& point : curveOf(*rows()[i]).points) {
        high = std::max(high, point.level);
        if (!plan_.signals[planned_.signal].absolute)
          low = std::min(low, point.level);
      }
    return {logitOf(low) - 0.05, logitOf(high) + 0.05, left, right};
  }

  Ruler upOf() const {
    std::vector<double> values;
    for (const CurveBound& each : bounds_)
      values.push_back(each.value);
    for (std::size_t i = 0; i < drawn(); ++i)
      for (const measure::QuantileCurve* curve : {&curveOf(*rows()[i]), againstOf(*rows()[i])})
        for (std::size_t at = 0; curve != nullptr && at < curve->points.size(); ++at)
          if (across_.holds(logitOf(curve->points[at].level)))
            values.push_back(curve->points[at].value / planned_.unit);
    return Ruler::around(std::move(values), bottom, top);
  }

  void addFrame() {
    for (double tick : up_.ticks()) {
      canvas_.line(left, up_.at(tick), right, up_.at(tick), "grid");
      canvas_.text(left - 8, up_.at(tick) + 4, "tick end", explain::tickText(tick));
    }
    for (double level : {0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999})
      if (const double at = logitOf(level); across_.holds(at)) {
        canvas_.line(across_.at(at), bottom, across_.at(at), bottom + 5, "axis");
        canvas_.text(across_.at(at), bottom + 19, "tick middle", levelText(level));
      }
    canvas_.line(left, bottom, right, bottom, "axis");
    canvas_.text((left + right) / 2, height - 12, "title middle",
                 "share of observations up to this value");
    canvas_.text(left - 8, top - 10, "title end",
                 planned_.symbol.empty() ? "value" : planned_.symbol);
  }

  std::vector<std::pair<double, double>> pathOf(const measure::QuantileCurve& curve) const {
    std::vector<std::pair<double, double>> out;
    for (const auto& point : curve.points)
      if (const double value = point.value / planned_.unit;
          across_.holds(logitOf(point.level)) && std::isfinite(value))
        out.emplace_back(across_.at(logitOf(point.level)), up_.at(value));
    return out;
  }

  void addCurves() {
    double free = bottom; // labels are one below the other
    std::vector<std::pair<double, std::size_t>> ends;
    for (std::size_t i = 0; i < drawn(); ++i) {
      if (const measure::QuantileCurve* other = againstOf(*rows()[i]))
        canvas_.path(pathOf(*other), fmt::format("series s{} faint", i));
      const std::vector<std::pair<double, double>> path = pathOf(curveOf(*rows()[i]));
      canvas_.path(path, fmt::format("series s{}", i));
      if (!path.empty())
        ends.emplace_back(path.back().second, i);
    }
    std::sort(ends.rbegin(), ends.rend());
    for (const auto& [y, i] : ends) {
      const double at = std::min(y, free);
      canvas_.text(right + 6, at + 4, fmt::format("tick s{}", i), shortened(rows()[i]->slice, 9));
      free = at - 14;
    }
  }

  /// The line that a text above it may begin at.
  double addBound(const CurveBound& bound, double free) {
    const double y = up_.at(bound.value), text = std::min(y - 5, free);
    const double x = bound.level <= 0   ? left
                     : bound.level >= 1 ? right
                                        : across_.at(logitOf(bound.level));
    canvas_.line(left, y, x, y, "bound");
    canvas_.line(x, y - 7, x, y + 7, "bound");
    canvas_.text(left + 6, text, "tick asked", bound.text);
    return text - 13;
  }

  const PageContent& content_;
  const plan::Plan& plan_;
  const CurveGroup& of_;
  const plan::Check& planned_;
  std::vector<CurveBound> bounds_;
  Ruler across_, up_;
  Canvas canvas_;
};

/// Checks of quantiles of the same numbers, in one group.
std::vector<CurveGroup> curveGroups(const PageContent& content) {
  const plan::Plan& plan = content.contract.subject.plan;
  std::vector<CurveGroup> out;
  for (CheckRows& each : checksOf(content.contract)) {
    const plan::Check& check = plan.checks[each.check];
    const measure::Details& details = content.contract.measured.details;
    const bool isDrawn = check.estimator == estimator::quantile &&
                         std::any_of(each.rows.begin(), each.rows.end(), [&](const auto* row) {
                           return !details.curve(row->check, row->sliceAt).points.empty();
                         });
    if (!isDrawn)
      continue;
    const auto group = std::find_if(out.begin(), out.end(), [&](const CurveGroup& drawn) {
      const plan::Check& other = plan.checks[drawn.checks.front().check];
      return other.signal == check.signal && other.onMixture == check.onMixture;
    });
    if (group == out.end())
      out.push_back({{std::move(each)}});
    else
      group->checks.push_back(std::move(each));
  }
  return out;
}

constexpr double toldLevels[] = {0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999};

std::vector<std::string> numbersOf(std::string slice, const measure::QuantileCurve& curve,
                                   const plan::Check& check) {
  std::vector<std::string> out = {std::move(slice), data::grouped(curve.observations)};
  for (double level : toldLevels) {
    const auto at = std::find_if(curve.points.begin(), curve.points.end(), [&](const auto& point) {
      return std::abs(point.level - level) < 1e-9;
    });
    out.push_back(at == curve.points.end() ? amountText(std::nullopt, "")
                                           : amountText(at->value / check.unit, check.symbol));
  }
  return out;
}

NumberRows curveNumbers(const PageContent& content, const CurveGroup& group) {
  const CheckRows& first = group.checks.front();
  const plan::Check& check = content.contract.subject.plan.checks[first.check];
  NumberRows out = {{"slice", "n"}};
  for (double level : toldLevels)
    out.front().push_back(levelText(level));
  for (std::size_t i = 0; i < first.rows.size() && i < 24; ++i) {
    const measure::Row& row = *first.rows[i];
    const std::string slice = shortened(row.slice, 60);
    const auto& details = content.contract.measured.details;
    out.push_back(numbersOf(slice, details.curve(row.check, row.sliceAt), check));
    if (content.contract.against != nullptr)
      out.push_back(numbersOf(
          slice + ", compared",
          content.contract.against->measured.details.curve(row.check, row.sliceAt), check));
  }
  return out;
}

} // namespace

PanelGroup curvePanels(const PageContent& content) {
  PanelGroup out{"quantiles",
                 "Distributions",
                 "All observations, whichever window they were in. A curve that stays below a "
                 "bound up to the end of the bound satisfies it. The scale is stretched towards "
                 "both ends, where the bounds are.",
                 {}};
  if (!content.contract.measured.details.isKept())
    return out;
  if (content.contract.against != nullptr)
    out.intro += " The paler curve of a slice is of the compared measurement.";
  for (const CurveGroup& each : curveGroups(content)) {
    const CheckRows& first = each.checks.front();
    CurvePicture picture(content, each);
    Panel panel;
    panel.id = fmt::format("quantiles-{}", first.check + 1);
    panel.heading = first.heading();
    if (first.rows.size() > lineKinds)
      panel.note = fmt::format("{} more slices are not drawn.", first.rows.size() - lineKinds);
    panel.described = "Quantiles of the values that " + first.heading() + " is about, by slice.";
    for (const CurveBound& bound : picture.bounds())
      panel.described += " " + bound.text + ".";
    panel.picture = picture.draw();
    panel.numbers = curveNumbers(content, each);
    out.panels.push_back(std::move(panel));
  }
  return out;
}

} // namespace tikc::page
