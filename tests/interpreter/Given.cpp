#include "interpreter/Given.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tikc::interpreter {
namespace {

constexpr Wide infinity = std::numeric_limits<Wide>::infinity();
constexpr std::size_t mostShown = 4;

std::string text(const char* format, double number) {
  char out[64];
  std::snprintf(out, sizeof out, format, number);
  return out;
}

/// On the far side of all numbers, since it is none of them.
Wide placed(Wide value, bool isAbove) {
  return std::isnan(value) ? isAbove ? infinity : -infinity : value;
}

} // namespace

void Given::take(const Observation& observation) {
  if (observation.stream != 0)
    return;
  if (observation.source == plan::StreamSource::Sequences && !observation.tokens.empty())
    see(plan::Watchable::Length, static_cast<Wide>(observation.tokens.size()), observation.id);
  if (observation.source == plan::StreamSource::Tokens)
    for (const Token& token : observation.tokens)
      see(plan::Watchable::Ratio,
          token.isBad() ? std::numeric_limits<Wide>::quiet_NaN() : std::exp(token.gap()), 0);
}

void Given::see(plan::Watchable of, Wide value, std::uint64_t id) {
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const plan::Assumption& given = plan_.assumptions[i];
    if (given.subject != of)
      continue;
    Wide taken = value;
    for (double end : {given.low, given.high})
      if (std::isfinite(end) && value == Wide{static_cast<float>(end)})
        taken = end;
    seen_[i].emplace_back(taken, id);
  }
}

/// The furthest first.
std::vector<Given::Value> Given::beyond(std::size_t assumption, bool isAbove) const {
  const plan::Assumption& given = plan_.assumptions[assumption];
  std::vector<Value> out;
  for (const auto& [value, id] : seen_[assumption]) {
    Wide at = placed(value, isAbove);
    if (isAbove ? at > given.high : at < given.low)
      out.emplace_back(at, id);
  }
  std::sort(out.begin(), out.end(), [&](const Value& a, const Value& b) {
    return a.first != b.first ? (a.first > b.first) == isAbove : a.second < b.second;
  });
  out.resize(std::min(out.size(), given.subject == plan::Watchable::Ratio ? 1 : mostShown));
  return out;
}

std::string Given::line(std::size_t assumption) const {
  const plan::Assumption& given = plan_.assumptions[assumption];
  const std::vector<Value>& all = seen_[assumption];
  std::size_t unknown = 0;
  Wide least = infinity, greatest = -infinity;
  for (const auto& [value, id] : all) {
    unknown += std::isnan(value);
    least = std::min(least, placed(value, false));
    greatest = std::max(greatest, placed(value, true));
  }
  bool isBelow = given.low - least > greatest - given.high;
  std::vector<Value> worst = beyond(assumption, !isBelow);
  if (worst.empty())
    worst = beyond(assumption, isBelow);
  bool isBroken = unknown != 0 || !worst.empty();
  std::string out = "assumed " + std::to_string(assumption) +
                    (all.empty() ? " unwatched "
                     : isBroken  ? " broken "
                                 : " held ") +
                    std::to_string(all.size()) + " " + std::to_string(unknown);
  if (all.empty())
    return out + " nan nan nan";
  Wide outside = isBroken ? std::numeric_limits<Wide>::quiet_NaN()
                          : 1 - std::pow(Wide{0.05L}, Wide{1} / static_cast<Wide>(all.size()));
  for (Wide each : {least, greatest, outside})
    out += text(" %a", static_cast<double>(each));
  for (const auto& [value, id] : worst)
    out += text(" %a ", static_cast<double>(value)) + std::to_string(id);
  return out;
}

} // namespace tikc::interpreter
