#pragma once

#include "bounds/facts/Comparisons.h"
#include "model/Metrics.h"

#include <string>
#include <vector>

/// Which clauses lead to claims, and why others do not.
namespace tikc::bounds {

/// Why no promise follows from a limit; empty if one does.
std::string_view whyNoPromise(const model::Measure& measure, const QuantityLimit& limit);

/// A clause on a metric without its limit, such as `mean(k3) <= …`.
struct ClauseForm {
  std::string text;
  std::string_view why; // it leads nowhere; empty if it leads to claims
};
/// Returns the forms that lead to claims, then those of aggregates that do not, on either side.
std::vector<ClauseForm> clauseForms(const model::MetricInfo& metric);

} // namespace tikc::bounds
