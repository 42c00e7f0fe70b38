#pragma once

#include "page/ReportPage.h"

#include <vector>

/// What there is to be drawn of what was measured.
namespace tikc::page {

/// The slices of each check beside one another, with intervals and bounds.
PanelGroup slicePanels(const PageContent& content);
/// How values are spread, with every bound on a quantile, a share or an extreme of them.
PanelGroup curvePanels(const PageContent& content);
/// Each check's windows one after the other.
PanelGroup trackPanels(const PageContent& content);
/// Where in responses, and of which tokens, the two sides part; along steps and versions.
PanelGroup signPanels(const PageContent& content);
/// What claims follow from, with what was observed of it.
PanelGroup chainPanels(const PageContent& content);

/// All of them, with what is told to be in each.
std::vector<PanelGroup> panelGroups(const PageContent& content);

/// A comparison of a clause with its slices.
struct CheckRows {
  std::size_t check = 0;
  std::vector<const measure::Row*> rows;

  verdict worst() const;
  /// "gap: mean(abs(logprob_gap)) <= 0.05 nat"
  std::string heading() const;
};
/// The worst first, else as the contract has them.
std::vector<CheckRows> checksOf(const measure::MeasuredContract& of);

} // namespace tikc::page
