#include "page/Words.h"

#include "measure/Forms.h"
#include "support/Escape.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::page {
namespace {

constexpr std::string_view dash = "–";

std::string windowsOf(std::uint64_t count, std::uint64_t all) {
  return fmt::format("{} of {} window{}", data::grouped(count), data::grouped(all),
                     all == 1 ? "" : "s");
}

/// From the end of where it lies that is nearer to the bound.
double roomOf(const measure::Row& row) {
  double out = std::abs(*row.value - *row.bound);
  for (const std::optional<double>& end : {row.low, row.high})
    if (end && std::isfinite(*end))
      out = std::min(out, std::abs(*end - *row.bound));
  return out;
}

} // namespace

std::string shortened(std::string_view given, std::size_t most) {
  const std::string text = utf8::printable(given);
  if (utf8::length(text) <= most)
    return text;
  std::string out;
  std::string_view left = text;
  for (std::size_t i = 0; i + 1 < most; ++i) {
    const auto next = utf8::decode(left);
    const std::size_t bytes = next ? next->bytes : 1;
    out += left.substr(0, bytes);
    left.remove_prefix(bytes);
  }
  return out + "…";
}

std::string shown(std::string_view text, std::size_t most) {
  return escape::html(shortened(text, most));
}

std::string amountText(std::optional<double> value, std::string_view unit) {
  if (!value)
    return std::string(dash);
  return measure::numberText(value) +
         (unit.empty() || unit == "%" ? std::string(unit) : fmt::format(" {}", unit));
}

std::string intervalText(std::optional<double> low, std::optional<double> high,
                         std::string_view unit) {
  if (!low || !high)
    return std::string(dash);
  if (*low == *high)
    return amountText(low, unit);
  return fmt::format("{} to {}", measure::numberText(low), amountText(high, unit));
}

std::string intervalText(const measure::Row& row) {
  return intervalText(row.low, row.high, row.unit);
}

std::string changeText(const measure::Row& row, const plan::Check& check) {
  if (row.outcome == verdict::undecided)
    return row.why.empty() ? "more observations" : row.why;
  if (check.estimator == estimator::coherence)
    return row.outcome == verdict::violated
               ? "nothing: later data cannot undo a disproof"
               : fmt::format("a lower end above 1, which is at {}", measure::numberText(row.low));
  if (!row.value || !row.bound || !std::isfinite(*row.value))
    return row.outcome == verdict::violated ? "its values have to be numbers first" : "";
  if (row.outcome == verdict::violated)
    return fmt::format("{}: the worst exceeds its bound by {}, and no window may",
                       windowsOf(row.violated, row.satisfied + row.violated + row.undecided),
                       amountText(std::abs(*row.value - *row.bound), row.unit));
  return fmt::format("{} of room to its bound", amountText(roomOf(row), row.unit));
}

std::string_view signOf(verdict value) {
  return value == verdict::satisfied ? "✓" : value == verdict::violated ? "✗" : "?";
}

verdict verdictNamed(std::string_view outcome) {
  return outcome == "satisfied"                            ? verdict::satisfied
         : outcome == "violated" || outcome == "suspended" ? verdict::violated
                                                           : verdict::undecided;
}

int orderOf(verdict value) {
  return value == verdict::violated ? 0 : value == verdict::undecided ? 1 : 2;
}

} // namespace tikc::page
