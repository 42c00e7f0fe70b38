#pragma once

#include "audit/reading/Snippet.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tikc::audit {

/// What a query of Prometheus takes from the series that it reads. Each takes less of the largest
/// value than the one before it.
enum class QueryTakes : std::uint8_t { Values, Largest, Average, Quantile, Smallest };

/// A query for one value, to the extent that audits understand it. It is read and never run.
struct Query {
  std::string metric; // as written
  Span metricPlace;
  QueryTakes takes = QueryTakes::Values;
  bool isAbsolute = false;
  bool isOneSeries = false;             // by its outermost function
  std::optional<std::string> ofNothing; // the number of `or vector(0)`
};

/// Returns nothing for arithmetic, rates and anything else.
std::optional<Query> readQuery(const Snippet& text);
/// The names in any query that may be metrics'.
std::vector<Snippet> metricsIn(const Snippet& query);

} // namespace tikc::audit
