#include "measure/Rows.h"

#include <cmath>

/// What is taken as given, and what is claimed by it, as reports have it.
namespace tikc::measure {
namespace {

using plan::StreamSource;

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}
std::optional<double> seen(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

StreamSource sourceOf(plan::Watchable of) {
  return of == plan::Watchable::Ratio         ? StreamSource::Tokens
         : of == plan::Watchable::MissingMass ? StreamSource::Rows
                                              : StreamSource::Sequences;
}

bool restsOn(const plan::Claim& claim, std::size_t assumption) {
  for (std::uint32_t each : claim.assumptions)
    if (each == assumption)
      return true;
  return false;
}

} // namespace

std::vector<AssumptionRow> assumptionRowsOf(const MeasuredPlan& measured, const Measurement& of) {
  std::vector<AssumptionRow> out;
  for (std::size_t i = 0; i < measured.plan.assumptions.size(); ++i) {
    const plan::Assumption& given = measured.plan.assumptions[i];
    const watch_result& found = of.assumed.assumptions[i];
    AssumptionRow& row = out.emplace_back();
    row.key = given.key;
    row.says = given.text;
    row.is = found.is;
    row.least = seen(found.least);
    row.greatest = seen(found.greatest);
    if (given.of != plan::Watchable::Unseen) {
      row.low = finite(given.low);
      row.high = finite(given.high);
    }
    row.observations = found.count;
    row.numberless = found.unknown;
    row.outside = seen(found.outside);
    for (std::size_t k = 0; k < found.worst.count; ++k)
      row.worst.push_back(placed(found.worst.each[k], sourceOf(given.of), 1, of));
    for (const plan::Claim& claim : measured.plan.claims)
      if (restsOn(claim, i))
        row.claims.push_back(claim.id);
  }
  return out;
}

std::vector<ClaimRow> claimRowsOf(const MeasuredPlan& measured, const Measurement& of) {
  std::vector<ClaimRow> out;
  for (std::size_t i = 0; i < measured.plan.claims.size(); ++i) {
    const plan::Claim& claim = measured.plan.claims[i];
    ClaimRow& row = out.emplace_back();
    row.claim = claim.id;
    row.says = claim.text;
    row.is = of.assumed.claims[i];
    for (std::uint32_t each : claim.assumptions)
      if (of.assumed.assumptions[each].is == assumption_state::broken)
        row.broken.push_back(measured.plan.assumptions[each].text);
  }
  return out;
}

} // namespace tikc::measure
