#include "measure/Comparison.h"
#include "page/Chart.h"
#include "page/Panels.h"
#include "page/Words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::page {
namespace {

using measure::ComparedRow;
using measure::WholeValue;

/// Two lines for each slice: a solid one for this measurement, a dashed one for the other.
class ComparisonPicture {
public:
  ComparisonPicture(std::vector<const ComparedRow*> rows, const plan::Check& planned)
      : rows_(std::move(rows)), planned_(planned), ruler_(rulerOf()) {}

  explain::Picture draw() {
    const std::size_t count = std::min(rows_.size(), mostDrawnSlices);
    const double bottom = top + rowHeight * static_cast<double>(count);
    canvas_.scaleBelow(ruler_, {left, right}, top, bottom, planned_.symbol);
    for (std::size_t i = 0; i < count; ++i) {
      const double y = top + rowHeight * static_cast<double>(i) + 12;
      canvas_.text(left - 10, y + 10, "end", shortened(rows_[i]->row.slice, 13));
      addValue(rows_[i]->here, y, "series s0");
      addValue(rows_[i]->there, y + 15, "against");
    }
    return canvas_.take(width, bottom + 42);
  }

private:
  static constexpr double width = 440, left = 104, right = 345, top = 18, rowHeight = 42;

  Ruler rulerOf() const {
    std::vector<double> values;
    for (const ComparedRow* row : rows_)
      for (const WholeValue* each : {&row->here, &row->there})
        for (std::optional<double> number : {each->value, each->low, each->high})
          if (number)
            values.push_back(*number);
    return Ruler::around(std::move(values), left, right);
  }

  void addValue(const WholeValue& each, double y, std::string_view style) {
    if (!each.value)
      return;
    const double at = ruler_.at(*each.value);
    if (each.low && each.high)
      canvas_.line(ruler_.at(*each.low), y, ruler_.at(*each.high), y, style);
    canvas_.line(at, y - 5, at, y + 5, style == "against" ? "range" : style);
    canvas_.text(width - 2, y + 4, "tick end", amountText(each.value, planned_.symbol));
  }

  std::vector<const ComparedRow*> rows_;
  const plan::Check& planned_;
  Ruler ruler_;
  Canvas canvas_;
};

} // namespace

PanelGroup comparisonPanels(const PageContent& content) {
  PanelGroup out{"compared",
                 "Both measurements",
                 "The solid line of a slice is of this measurement, the dashed line of the other. "
                 "A long line is an interval of chance; without one, only the value is known.",
                 {}};
  const std::vector<ComparedRow> rows = measure::comparedRows(content.contract);
  for (const CheckRows& check : checksOf(content.contract)) {
    std::vector<const ComparedRow*> of;
    for (const ComparedRow& each : rows)
      if (each.row.check == check.check && each.row.clause == check.rows.front()->clause &&
          (each.here.value || each.there.value))
        of.push_back(&each);
    if (of.empty())
      continue;
    const plan::Check& planned = content.contract.subject.plan.checks[check.check];
    Panel panel;
    panel.id = fmt::format("compared-{}", check.check + 1);
    panel.heading = check.heading();
    if (of.size() > mostDrawnSlices)
      panel.note = fmt::format("{} more slices are not drawn.", of.size() - mostDrawnSlices);
    panel.described = panel.heading + ".";
    for (std::size_t i = 0; i < of.size() && i < 8; ++i)
      panel.described += fmt::format(" {}: {} here, {} there.", shortened(of[i]->row.slice, 40),
                                     amountText(of[i]->here.value, planned.symbol),
                                     amountText(of[i]->there.value, planned.symbol));
    panel.picture = ComparisonPicture(of, planned).draw();
    out.panels.push_back(std::move(panel)); // the section has a table of the numbers
  }
  return out;
}

} // namespace tikc::page
