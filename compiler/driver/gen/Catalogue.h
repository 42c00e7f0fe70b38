#pragma once

#include "model/Keys.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::driver::gen {

std::vector<std::string_view> samplesOf(model::Shape shape);

/// What may stand in an expression of the shape, as Markdown lists: metrics, aggregates, fields,
/// calls. `claims` asks for claim quantities instead of metrics.
std::string vocabularyOf(model::Shape shape, bool claims);

/// A text as it may stand in a table of Markdown.
std::string cell(std::string_view text);

std::string_view mapTitle(model::Map map);

} // namespace tikc::driver::gen
