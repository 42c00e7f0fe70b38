#pragma once

#include "page/ReportPage.h"

#include <vector>

/// The pictures of a measurement.
namespace tikc::page {

/// The number of slices in a picture with a line for each.
inline constexpr std::size_t mostDrawnSlices = 24;

/// Draws the slices of each check next to each other, with intervals and bounds.
PanelGroup slicePanels(const PageContent& content);
/// Draws distributions of values, with every bound on a quantile, a share or an extreme.
PanelGroup curvePanels(const PageContent& content);
/// Draws both values of each check and slice, if there is another measurement.
PanelGroup comparisonPanels(const PageContent& content);
/// Draws each check's windows in sequence.
PanelGroup trackPanels(const PageContent& content);
/// Draws where in responses, and for which tokens, the two sides diverge; and along steps and
/// versions.
/// `responses` is their number in the data; `against` is of other data, or null.
PanelGroup signPanels(const data::Signs& signs, std::uint64_t responses,
                      const data::Signs* against);
/// Draws the premises of claims, with their observations.
PanelGroup chainPanels(const PageContent& content);

/// Returns all groups, each with its introduction.
std::vector<PanelGroup> panelGroups(const PageContent& content);

/// A comparison of a clause with its slices.
struct CheckRows {
  std::size_t check = 0;
  std::vector<const measure::Row*> rows;

  verdict worst() const;
  /// Returns the heading: "gap: mean(abs(logprob_gap)) <= 0.05 nat"
  std::string heading() const;
};
/// Returns the checks, the worst first, else in the contract's order.
std::vector<CheckRows> checksOf(const measure::MeasuredContract& contract);

} // namespace tikc::page
