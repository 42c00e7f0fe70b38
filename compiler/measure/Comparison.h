#pragma once

#include "measure/Forms.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A measurement next to another one of the same contract.
namespace tikc::measure {

enum class Difference : std::uint8_t {
  Higher,
  Lower,
  Chance,    // the intervals overlap
  Unlimited, // a value has no interval of chance
  Missing    // one side has no value
};
/// Returns "higher", "not distinguishable", or why the values cannot be compared.
std::string_view name(Difference difference);

/// A value over all data of a measurement, in the author's unit.
struct WholeValue {
  std::optional<double> value, low, high; // without low and high, it has no interval of chance
  std::uint64_t observations = 0;
};

/// A comparison of a clause on a slice, in both measurements.
struct ComparedRow {
  const Row& row;
  WholeValue here, there;
  Difference difference;
};

/// Returns the rows of a measurement that has another one to compare with. Both need details.
std::vector<ComparedRow> comparedRows(const MeasuredContract& contract);

/// Returns what the differences mean.
std::string_view differenceNote();

/// Returns the rows as a table for a terminal, or in Markdown; empty without another measurement.
std::string comparisonText(const MeasuredContract& contract);
std::string comparisonMarkdown(const MeasuredContract& contract);

} // namespace tikc::measure
