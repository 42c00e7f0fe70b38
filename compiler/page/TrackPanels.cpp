#include "page/Chart.h"
#include "page/Panels.h"
#include "page/Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tikc::page {
namespace {

using measure::Track;
using measure::TrackPoint;

/// Windows from the left to the right, in steps of the data where they name them.
class TrackPicture {
public:
  TrackPicture(const PageContent& content, const CheckRows& check)
      : planned_(content.contract.subject.plan.checks[check.check]) {
    for (const measure::Row* row : check.rows)
      if (const Track& track = content.contract.measured.details.track(row->check, row->sliceAt);
          !track.points().empty() && drawn_.size() < lineKinds)
        drawn_.emplace_back(row, &track);
    isOfSteps_ = std::all_of(drawn_.begin(), drawn_.end(), [](const auto& each) {
      return std::all_of(
          each.second->points().begin(), each.second->points().end(),
          [](const TrackPoint& at) { return at.first.firstStep && at.last.lastStep; });
    });
    across_ = acrossOf();
    up_ = upOf();
  }

  explain::Picture draw() {
    addFrame();
    std::vector<std::pair<double, std::size_t>> ends;
    for (std::size_t i = 0; i < drawn_.size(); ++i)
      if (auto end = addTrack(i))
        ends.emplace_back(*end, i);
    addNames(std::move(ends));
    return canvas_.take(width, height);
  }

private:
  static constexpr double width = 440, height = 280, left = 58, right = width - 66, top = 26,
                          bottom = height - 52;

  double placeOf(const TrackPoint& at) const {
    return isOfSteps_ ? (*at.first.firstStep + *at.last.lastStep) / 2
                      : static_cast<double>(at.first.evaluation + at.last.evaluation) / 2;
  }
  std::optional<double> heightOf(double value) const {
    if (std::isnan(value))
      return std::nullopt;
    return up_.at(value / planned_.unit);
  }

  Ruler acrossOf() const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& [row, track] : drawn_)
      for (const TrackPoint& each : track->points()) {
        low = std::min(low, placeOf(each));
        high = std::max(high, placeOf(each));
      }
    const double air = high > low ? 0.02 * (high - low) : 0.5;
    return {low - air, high + air, left, right};
  }

  Ruler upOf() const {
    std::vector<double> values;
    for (const plan::Limit& each : planned_.limits)
      values.push_back(each.bound / planned_.unit);
    for (const auto& [row, track] : drawn_)
      for (const TrackPoint& each : track->points()) {
        values.push_back(each.value / planned_.unit);
        if (isBanded()) {
          values.push_back(each.low / planned_.unit);
          values.push_back(each.high / planned_.unit);
        }
      }
    return Ruler::around(std::move(values), bottom, top);
  }

  /// Where more are, they lie on one another.
  bool isBanded() const { return drawn_.size() <= 2; }

  void addFrame() {
    for (double tick : up_.ticks()) {
      canvas_.line(left, up_.at(tick), right, up_.at(tick), "grid");
      canvas_.text(left - 8, up_.at(tick) + 4, "tick end", explain::tickText(tick));
    }
    for (double tick : across_.ticks())
      if (tick == std::floor(tick)) {
        canvas_.line(across_.at(tick), bottom, across_.at(tick), bottom + 5, "axis");
        canvas_.text(across_.at(tick), bottom + 19, "tick middle", fmt::format("{:.0f}", tick));
      }
    canvas_.line(left, bottom, right, bottom, "axis");
    canvas_.text((left + right) / 2, height - 12, "title middle",
                 isOfSteps_ ? "step" : "evaluation");
    canvas_.text(left - 8, top - 12, "title end",
                 planned_.symbol.empty() ? "value" : planned_.symbol);
    for (const plan::Limit& each : planned_.limits) {
      const double y = up_.at(each.bound / planned_.unit);
      canvas_.line(left, y, right, y, "bound");
      canvas_.text(left + 6, y - 5, "tick asked",
                   "bound " + amountText(each.bound / planned_.unit, planned_.symbol));
    }
  }

  /// The height at which its line ends.
  std::optional<double> addTrack(std::size_t which) {
    const auto& points = drawn_[which].second->points();
    std::vector<std::pair<double, double>> line, upper, lower;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::optional<double> out;
    for (const TrackPoint& each : points) {
      const double x = across_.at(placeOf(each));
      const auto y = heightOf(each.value), low = heightOf(each.low), high = heightOf(each.high);
      line.emplace_back(x, y.value_or(none));
      lower.emplace_back(x, low.value_or(none));
      upper.emplace_back(x, high.value_or(none));
      out = y ? y : out;
    }
    if (isBanded())
      canvas_.band(upper, lower, fmt::format("band s{}", which));
    canvas_.path(line, fmt::format("series s{}", which));
    // One of many that is as it should be needs no mark.
    constexpr std::size_t few = 24;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i].outcome != verdict::satisfied || points.size() <= few)
        if (std::isfinite(line[i].second))
          canvas_.mark(line[i].first, line[i].second, points[i].outcome, titleOf(which, points[i]));
    return out;
  }

  std::string titleOf(std::size_t which, const TrackPoint& at) const {
    return fmt::format("{}: {} at {} {:.10g}, {}, n {}", shortened(drawn_[which].first->slice, 40),
                       amountText(at.value / planned_.unit, planned_.symbol),
                       isOfSteps_ ? "step" : "evaluation", placeOf(at), name(at.outcome),
                       data::grouped(at.observations));
  }

  void addNames(std::vector<std::pair<double, std::size_t>> ends) {
    std::sort(ends.rbegin(), ends.rend());
    double free = bottom;
    for (const auto& [y, i] : ends) {
      const double at = std::min(y, free);
      canvas_.text(right + 8, at + 4, fmt::format("tick s{}", i),
                   shortened(drawn_[i].first->slice, 9));
      free = at - 14;
    }
  }

  const plan::Check& planned_;
  std::vector<std::pair<const measure::Row*, const Track*>> drawn_;
  bool isOfSteps_ = false;
  Ruler across_{0, 1, left, right}, up_{0, 1, bottom, top};
  Canvas canvas_;
};

NumberRows trackNumbers(const PageContent& content, const CheckRows& slices) {
  const plan::Check& check = content.contract.subject.plan.checks[slices.check];
  auto amount = [&](double value) {
    return std::isnan(value) ? "not a number" : amountText(value / check.unit, check.symbol);
  };
  NumberRows out = {{"slice", "windows", "satisfied", "violated", "undecided", "first", "last",
                     "lowest end", "highest end"}};
  for (std::size_t i = 0; i < slices.rows.size() && i < 24; ++i) {
    const measure::Row& row = *slices.rows[i];
    const auto& points = content.contract.measured.details.track(row.check, row.sliceAt).points();
    if (points.empty())
      continue;
    const measure::CheckRecord& at = content.contract.measured.records.of(row.check, row.sliceAt);
    out.push_back({shortened(row.slice, 60), data::grouped(at.windows()),
                   data::grouped(at.satisfied), data::grouped(at.violated),
                   data::grouped(at.undecided), amount(points.front().value),
                   amount(points.back().value), amount(at.lowest), amount(at.highest)});
  }
  return out;
}

} // namespace

PanelGroup trackPanels(const PageContent& content) {
  PanelGroup out{"drift",
                 "Values over the run",
                 "Windows in their order. A diamond is a violated window, a ring an undecided one; "
                 "a band is the interval of the value.",
                 {}};
  if (!content.contract.measured.details.isKept())
    return out;
  for (const CheckRows& each : checksOf(content.contract)) {
    std::uint64_t most = 0, joined = 1;
    std::size_t withWindows = 0;
    for (const measure::Row* row : each.rows) {
      const Track& track = content.contract.measured.details.track(row->check, row->sliceAt);
      most = std::max<std::uint64_t>(most, track.points().size());
      joined = std::max(joined, track.windowsOfPoint());
      withWindows += track.points().empty() ? 0U : 1U;
    }
    if (most < 2) // one window is no course
      continue;
    Panel panel;
    panel.id = fmt::format("drift-{}", each.check + 1);
    panel.heading = each.heading();
    if (joined > 1)
      panel.note = fmt::format("Of up to {} windows in a row, only the worst is drawn. ", joined);
    if (withWindows > lineKinds)
      panel.note += fmt::format("{} more slices are not drawn.", withWindows - lineKinds);
    panel.picture = TrackPicture(content, each).draw();
    panel.numbers = trackNumbers(content, each);
    panel.described = "The windows of " + each.heading() + ", one after the other, by slice.";
    out.panels.push_back(std::move(panel));
  }
  return out;
}

} // namespace tikc::page
