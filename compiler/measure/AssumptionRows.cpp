#include "measure/Rows.h"

#include <algorithm>
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

bool restsOnTokens(const MeasuredPlan& measured, const plan::Claim& claim) {
  return std::any_of(claim.grounds.begin(), claim.grounds.end(), [&](const auto& each) {
    const check& of = measured.loaded.checks[each.check];
    const source from = measured.loaded.signal_table[of.signal].from;
    return from == source::tokens || from == source::sequences;
  });
}

/// Nothing on a slice that the contract says to be empty, and that is.
std::optional<ClaimGround> groundOf(const MeasuredPlan& measured, const Measurement& of,
                                    const plan::ProofCheck& ground, std::span<const Row> rows) {
  const plan::Check& check = measured.plan.checks[ground.check];
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) {
    return each.check == ground.check && (check.onMixture || each.sliceAt == ground.slice);
  });
  if (row == rows.end() && !check.onMixture && measured.plan.slices[ground.slice].isEmpty &&
      !of.hasCome(ground.slice))
    return std::nullopt;
  ClaimGround out;
  for (const plan::Clause& each : measured.plan.clauses)
    if (std::find(each.checks.begin(), each.checks.end(), ground.check) != each.checks.end())
      out.clause = each.id;
  out.says = check.text;
  out.slice = check.onMixture ? "*" : measured.plan.slices[ground.slice].name;
  out.is = row == rows.end() ? verdict::unasked : row->is;
  return out;
}

claim_state stateOf(const ClaimRow& row) {
  auto isAny = [&](verdict sought) {
    return std::any_of(row.grounds.begin(), row.grounds.end(),
                       [&](const ClaimGround& each) { return each.is == sought; });
  };
  if (row.isProved && isAny(verdict::violated))
    return claim_state::refuted;
  if (row.isProved && !row.broken.empty())
    return claim_state::suspended;
  return !row.isProved || isAny(verdict::undecided) || isAny(verdict::unasked) ||
                 !row.settings.empty() || row.isOfDisprovedLogs
             ? claim_state::not_shown
             : claim_state::shown;
}

} // namespace

bool areLogsDisproved(const MeasuredPlan& measured, const Measurement& of) {
  for (std::size_t check = 0; check < measured.plan.checks.size(); ++check)
    for (std::size_t slice = 0; slice < measured.plan.slices.size(); ++slice)
      if (measured.plan.checks[check].estimator == plan::Estimator::Coherence &&
          of.records.of(check, slice).violated != 0)
        return true;
  return false;
}

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
    if (given.subject != plan::Watchable::Unseen) {
      row.low = finite(given.low);
      row.high = finite(given.high);
    }
    row.observations = found.count;
    row.numberless = found.unknown;
    row.outside = seen(found.outside);
    for (std::size_t k = 0; k < found.worst.count; ++k)
      row.worst.push_back(placed(found.worst.each[k], sourceOf(given.subject), 1, of));
    for (const plan::Claim& claim : measured.plan.claims)
      if (restsOn(claim, i))
        row.claims.push_back(claim.id);
  }
  return out;
}

std::vector<ClaimRow> claimRowsOf(const MeasuredPlan& measured, const Measurement& of,
                                  std::span<const Row> rows) {
  const ServedSettings asked(measured.plan, measured.stream);
  std::vector<std::string> settings;
  for (const auto& [key, count] : of.intake.otherSettings)
    if (std::string name = asked.read(key).name; settings.empty() || settings.back() != name)
      settings.push_back(std::move(name));
  const bool areDisproved = areLogsDisproved(measured, of);
  std::vector<ClaimRow> out;
  for (std::size_t i = 0; i < measured.plan.claims.size(); ++i) {
    const plan::Claim& claim = measured.plan.claims[i];
    ClaimRow& row = out.emplace_back();
    row.claim = claim.id;
    row.says = claim.text;
    row.isProved = claim.isProved;
    for (const plan::ProofCheck& each : claim.grounds)
      if (auto ground = groundOf(measured, of, each, rows))
        row.grounds.push_back(std::move(*ground));
    for (std::uint32_t each : claim.assumptions) {
      const assumption_state is = of.assumed.assumptions[each].is;
      if (is != assumption_state::held)
        (is == assumption_state::broken ? row.broken : row.trusted)
            .push_back(measured.plan.assumptions[each].text);
    }
    row.settings = settings;
    row.isOfDisprovedLogs = areDisproved && restsOnTokens(measured, claim);
    row.is = stateOf(row);
  }
  return out;
}

} // namespace tikc::measure
