#include "measure/Rows.h"

#include <algorithm>
#include <cmath>

/// What is taken as given, and what is claimed by it, as reports have it.
namespace tikc::measure {
namespace {

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}
std::optional<double> seen(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

source sourceOf(quantity subject) {
  return subject == quantity::ratio          ? source::tokens
         : subject == quantity::missing_mass ? source::rows
                                             : source::sequences;
}

bool restsOn(const plan::Claim& claim, std::size_t assumption) {
  for (std::uint32_t each : claim.assumptions)
    if (each == assumption)
      return true;
  return false;
}

bool restsOnTokens(const MeasuredPlan& measured, const plan::Claim& claim) {
  return std::any_of(claim.grounds.begin(), claim.grounds.end(), [&](const auto& each) {
    const check& criterion = measured.loaded.checks[each.check];
    const source from = measured.loaded.signal_table[criterion.signal].from;
    return from == source::tokens || from == source::sequences;
  });
}

/// Nothing on a slice that the contract says to be empty, and that is.
std::optional<ClaimGround> groundOf(const MeasuredPlan& measured, const Measurement& measurement,
                                    const plan::ProofCheck& ground, std::span<const Row> rows) {
  const plan::Check& check = measured.plan.checks[ground.check];
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) {
    return each.check == ground.check && (check.onMixture || each.sliceAt == ground.slice);
  });
  if (row == rows.end() && !check.onMixture && measured.plan.slices[ground.slice].isEmpty &&
      !measurement.hasCome(ground.slice))
    return std::nullopt;
  ClaimGround out;
  for (const plan::Clause& each : measured.plan.clauses)
    if (std::find(each.checks.begin(), each.checks.end(), ground.check) != each.checks.end())
      out.clause = each.id;
  out.says = check.text;
  out.slice = check.onMixture ? "*" : measured.plan.slices[ground.slice].name;
  out.outcome = row == rows.end() ? verdict::unasked : row->outcome;
  return out;
}

claim_state stateOf(const ClaimRow& row) {
  auto isAny = [&](verdict sought) {
    return std::any_of(row.grounds.begin(), row.grounds.end(),
                       [&](const ClaimGround& each) { return each.outcome == sought; });
  };
  if (row.isProved && isAny(verdict::violated))
    return claim_state::withdrawn;
  if (row.isProved && !row.broken.empty())
    return claim_state::suspended;
  return !row.isProved || isAny(verdict::undecided) || isAny(verdict::unasked) ||
                 !row.settings.empty() || row.isOfDisprovedLogs
             ? claim_state::not_shown
             : claim_state::shown;
}

} // namespace

bool areLogsDisproved(const MeasuredPlan& measured, const Measurement& measurement) {
  for (std::size_t check = 0; check < measured.plan.checks.size(); ++check)
    for (std::size_t slice = 0; slice < measured.plan.slices.size(); ++slice)
      if (measured.plan.checks[check].estimator == estimator::coherence &&
          measurement.records.of(check, slice).violated != 0)
        return true;
  return false;
}

std::vector<AssumptionRow> assumptionRowsOf(const MeasuredPlan& measured,
                                            const Measurement& measurement) {
  std::vector<AssumptionRow> out;
  for (std::size_t i = 0; i < measured.plan.assumptions.size(); ++i) {
    const plan::Assumption& assumption = measured.plan.assumptions[i];
    const watch_result& outcome = measurement.assumed.assumptions[i];
    AssumptionRow& row = out.emplace_back();
    row.key = assumption.key;
    row.says = assumption.text;
    row.state = outcome.is;
    row.least = seen(outcome.least);
    row.greatest = seen(outcome.greatest);
    if (assumption.subject != quantity::unseen) {
      row.low = finite(assumption.low);
      row.high = finite(assumption.high);
    }
    row.observations = outcome.count;
    row.numberless = outcome.unknown;
    row.outside = seen(outcome.outside);
    for (std::size_t k = 0; k < outcome.worst.count; ++k)
      row.worst.push_back(
          placed(outcome.worst.each[k], sourceOf(assumption.subject), 1, measurement));
    for (const plan::Claim& claim : measured.plan.claims)
      if (restsOn(claim, i))
        row.claims.push_back(claim.id);
  }
  return out;
}

std::vector<ClaimRow> claimRowsOf(const MeasuredPlan& measured, const Measurement& measurement,
                                  std::span<const Row> rows) {
  const ServedSettings asked(measured.plan, measured.stream);
  std::vector<std::string> settings;
  for (const auto& [key, count] : measurement.intake.otherSettings)
    if (std::string name = asked.read(key).name; settings.empty() || settings.back() != name)
      settings.push_back(std::move(name));
  const bool areDisproved = areLogsDisproved(measured, measurement);
  std::vector<ClaimRow> out;
  for (std::size_t i = 0; i < measured.plan.claims.size(); ++i) {
    const plan::Claim& claim = measured.plan.claims[i];
    ClaimRow& row = out.emplace_back();
    row.claim = claim.id;
    row.says = claim.text;
    row.isProved = claim.isProved;
    for (const plan::ProofCheck& each : claim.grounds)
      if (auto ground = groundOf(measured, measurement, each, rows))
        row.grounds.push_back(std::move(*ground));
    for (std::uint32_t each : claim.assumptions) {
      const assumption_state state = measurement.assumed.assumptions[each].is;
      if (state != assumption_state::held)
        (state == assumption_state::broken ? row.broken : row.trusted)
            .push_back(measured.plan.assumptions[each].text);
    }
    row.settings = settings;
    row.isOfDisprovedLogs = areDisproved && restsOnTokens(measured, claim);
    row.state = stateOf(row);
  }
  return out;
}

} // namespace tikc::measure
