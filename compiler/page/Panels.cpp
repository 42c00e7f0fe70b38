#include "page/Panels.h"

#include "page/Words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::page {

verdict CheckRows::worst() const {
  verdict out = verdict::satisfied;
  for (const measure::Row* row : rows)
    if (orderOf(row->outcome) < orderOf(out))
      out = row->outcome;
  return out;
}

std::string CheckRows::heading() const {
  return fmt::format("{}: {}", shortened(rows.front()->clause, 60),
                     shortened(rows.front()->says, 90));
}

std::vector<CheckRows> checksOf(const measure::MeasuredContract& contract) {
  std::vector<CheckRows> out;
  for (const measure::Row& row : contract.rows) {
    if (out.empty() || out.back().check != row.check ||
        out.back().rows.front()->clause != row.clause)
      out.push_back({row.check, {}});
    out.back().rows.push_back(&row);
  }
  std::stable_sort(out.begin(), out.end(), [](const CheckRows& a, const CheckRows& b) {
    return orderOf(a.worst()) < orderOf(b.worst());
  });
  return out;
}

namespace {

PanelGroup signPanels(const measure::MeasuredContract& contract) {
  const measure::Intake& intake = contract.measured.intake;
  return page::signPanels(intake.signs, intake.responses,
                          contract.against == nullptr ? nullptr
                                                      : &contract.against->measured.intake.signs);
}

} // namespace

std::vector<PanelGroup> panelGroups(const PageContent& content) {
  std::vector<PanelGroup> out;
  for (PanelGroup each : {slicePanels(content), comparisonPanels(content), curvePanels(content),
                          trackPanels(content), signPanels(content.contract), chainPanels(content)})
    if (!each.panels.empty())
      out.push_back(std::move(each));
  return out;
}

} // namespace tikc::page
