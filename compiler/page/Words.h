#pragma once

#include "measure/Rows.h"

#include <optional>
#include <string>
#include <string_view>

/// Words and numbers of a page.
namespace tikc::page {

/// Escapes a text of an author or of data, and shortens it.
std::string shown(std::string_view text, std::size_t most = 160);
/// Shortens a text without escaping it, for callers that escape.
std::string shortened(std::string_view text, std::size_t most = 160);

/// Formats a value with its unit: "0.0423 nat", "1.2%"; a dash if unknown.
std::string amountText(std::optional<double> value, std::string_view unit);
/// Formats an interval: "0.041 to 0.0437 nat"; a dash if there is none.
std::string intervalText(std::optional<double> low, std::optional<double> high,
                         std::string_view unit);
std::string intervalText(const measure::Row& row);
/// Returns what would change the verdict, or the distance to a change.
std::string changeText(const measure::Row& row, const plan::Check& check);

/// Returns the sign of a verdict, which is shown with its word, so that no verdict depends on
/// colour.
std::string_view signOf(verdict value);
/// Returns the verdict that `MeasuredContract::outcome()` names.
verdict verdictNamed(std::string_view outcome);

/// Orders verdicts: violated, then undecided, then others.
int orderOf(verdict value);

} // namespace tikc::page
