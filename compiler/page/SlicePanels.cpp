#include "page/Chart.h"
#include "page/Panels.h"
#include "page/Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::page {
namespace {

/// One line a slice: its value as a mark, where that may lie as a bar, and all windows as a wire.
class SlicePicture {
public:
  SlicePicture(const PageContent& content, const CheckRows& check)
      : of_(check), planned_(content.contract.subject.plan.checks[check.check]),
        records_(content.contract.measured.records), ruler_(rulerOf()) {}

  explain::Picture draw() {
    const std::size_t count = std::min(of_.rows.size(), mostDrawnSlices);
    const double bottom = top + rowHeight * static_cast<double>(count);
    addFrame(bottom);
    for (std::size_t i = 0; i < count; ++i)
      addRow(*of_.rows[i], top + rowHeight * (static_cast<double>(i) + 0.5));
    return canvas_.take(width, bottom + 42);
  }

private:
  static constexpr double width = 440, left = 104, right = 330, top = 38, rowHeight = 27;

  /// Of the windows that ended; nothing of a slice that had none.
  std::pair<double, double> spanOf(const measure::Row& row) const {
    const measure::CheckRecord& at = records_.of(row.check, row.sliceAt);
    return {at.lowest / planned_.unit, at.highest / planned_.unit};
  }

  Ruler rulerOf() const {
    std::vector<double> values;
    for (const plan::Limit& each : planned_.limits)
      values.push_back(each.bound / planned_.unit);
    for (const measure::Row* row : of_.rows) {
      const auto [low, high] = spanOf(*row);
      for (std::optional<double> each :
           {row->value, row->low, row->high, std::optional(low), std::optional(high)})
        if (each)
          values.push_back(*each);
    }
    return Ruler::around(std::move(values), left, right);
  }

  void addFrame(double bottom) {
    canvas_.scaleBelow(ruler_, {left, right}, top, bottom, planned_.symbol);
    for (const plan::Limit& each : planned_.limits) {
      const double at = ruler_.at(each.bound / planned_.unit);
      canvas_.line(at, top - 8, at, bottom, "bound");
      canvas_.text(at, top - 14, "tick asked middle",
                   "bound " + amountText(each.bound / planned_.unit, planned_.symbol));
    }
  }

  void addRow(const measure::Row& row, double y) {
    canvas_.text(left - 10, y + 4, "end", shortened(row.slice, 13));
    const auto [low, high] = spanOf(row);
    if (std::isfinite(low) && std::isfinite(high))
      canvas_.line(ruler_.at(low), y, ruler_.at(high), y, "range");
    if (row.low && row.high)
      canvas_.line(ruler_.at(*row.low), y, ruler_.at(*row.high), y, "whisker");
    if (row.value)
      canvas_.mark(ruler_.at(*row.value), y, row.outcome, amountText(row.value, row.unit));
    canvas_.text(right + 10, y + 4, fmt::format("tick {}", name(row.outcome)), signOf(row.outcome));
    canvas_.text(width - 2, y + 4, "tick end", amountText(row.value, row.unit));
  }

  const CheckRows& of_;
  const plan::Check& planned_;
  const measure::CheckRecords& records_;
  Ruler ruler_;
  Canvas canvas_;
};

NumberRows sliceNumbers(const CheckRows& check) {
  NumberRows out = {{"slice", "verdict", "value", "where it lies", "bound", "n"}};
  for (std::size_t i = 0; i < check.rows.size() && i < mostDrawnSlices; ++i) {
    const measure::Row& row = *check.rows[i];
    out.push_back({shortened(row.slice, 60), name(row.outcome), amountText(row.value, row.unit),
                   intervalText(row), amountText(row.bound, row.unit),
                   data::grouped(row.observations)});
  }
  return out;
}

std::string sliceDescription(const CheckRows& check) {
  std::string out = check.heading() + ".";
  for (std::size_t i = 0; i < check.rows.size() && i < 8; ++i)
    out += fmt::format(" {}: {}, {}.", shortened(check.rows[i]->slice, 40),
                       name(check.rows[i]->outcome),
                       amountText(check.rows[i]->value, check.rows[i]->unit));
  return out;
}

} // namespace

PanelGroup slicePanels(const PageContent& content) {
  PanelGroup out{
      "slices",
      "Slices",
      "A mark is the value of the window that is shown, a bar its interval by the clause's "
      "confidence or its sketch, a thin line the range of all finished windows. A circle is "
      "satisfied, a diamond violated, a ring undecided, like the signs on the right.",
      {}};
  for (const CheckRows& each : checksOf(content.contract)) {
    if (std::none_of(each.rows.begin(), each.rows.end(),
                     [](const measure::Row* row) { return row->value.has_value(); }))
      continue;
    Panel panel;
    panel.id = fmt::format("slices-{}", each.check + 1);
    panel.heading = each.heading();
    if (each.rows.size() > mostDrawnSlices)
      panel.note = fmt::format("{} more slices are not drawn.", each.rows.size() - mostDrawnSlices);
    panel.described = sliceDescription(each);
    panel.picture = SlicePicture(content, each).draw();
    panel.numbers = sliceNumbers(each);
    out.panels.push_back(std::move(panel));
  }
  return out;
}

} // namespace tikc::page
