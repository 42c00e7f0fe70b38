#pragma once

#include "model/Keys.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::driver {

std::vector<std::string_view> samplesOf(model::Shape shape);

/// Returns Markdown lists of the metrics, aggregates, fields and calls in expressions of the shape;
/// with `claims`, the quantities of claims instead of metrics.
std::string vocabularyOf(model::Shape shape, bool claims);

/// Returns a text for a cell of a Markdown table.
std::string cell(std::string_view text);

std::string_view mapTitle(model::Map map);

} // namespace tikc::driver
