#include "measure/Forms.h"

#include "measure/ObservedClaims.h"

#include "support/Columns.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace tikc::measure {
namespace {

std::string outsideText(const AssumptionRow& row) {
  return row.outside ? fmt::format("at most {:.3g}% of unseen ones, with 95% confidence",
                                   *row.outside * 100)
                     : std::string();
}

} // namespace

MeasuredContract MeasuredContract::of(const MeasuredPlan& subject, const Measurement& measured,
                                      std::vector<Row> rows, std::vector<std::string> others,
                                      bool isOfNamedClauses) {
  const data::Signs& signs = measured.intake.signs;
  std::vector<ClaimRow> claims = claimRowsOf(subject, measured, rows);
  MeasuredContract out{subject,
                       measured,
                       std::move(rows),
                       std::move(others),
                       assumptionRowsOf(subject, measured),
                       std::move(claims),
                       signs.responses == 0 ? std::nullopt
                                            : std::optional(data::Diagnosis::of(signs)),
                       isOfNamedClauses};
  std::vector<std::string> wide = wideWindowLines(out);
  std::move(wide.begin(), wide.end(), std::back_inserter(out.others));
  return out;
}

void MeasuredContract::observeClaims(const model::Contract& contract,
                                     std::span<const std::string> clauses) {
  auto observed = observedClaimsOf(contract, subject, measured, clauses);
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (claims[i].state != claim_state::suspended)
      claims[i].observed = std::move(observed[i]);
}

const Activations& MeasuredContract::activations() const {
  static const Activations none;
  return isOfNamedClauses ? none : measured.activations;
}

bool MeasuredContract::isAny(claim_state state) const {
  return std::any_of(claims.begin(), claims.end(),
                     [&](const ClaimRow& row) { return row.state == state; });
}

std::string_view MeasuredContract::outcome() const {
  const verdict judged = verdictOf(rows);
  if (judged == verdict::violated || isAny(claim_state::withdrawn))
    return name(verdict::violated);
  if (isAny(claim_state::suspended))
    return name(claim_state::suspended);
  const bool isOther = !measured.intake.otherSettings.empty();
  const bool isNotShown = !isOfNamedClauses && isAny(claim_state::not_shown);
  return name(isOther || isNotShown ? verdict::undecided : judged);
}

std::string spanText(const AssumptionRow& row) {
  if (row.observations == 0)
    return {};
  if (row.numberless == row.observations)
    return "not a number";
  return row.least == row.greatest
             ? numberText(row.least)
             : fmt::format("from {} to {}", numberText(row.least), numberText(row.greatest));
}

std::string offenceText(const AssumptionRow& row) {
  if (row.worst.empty())
    return row.numberless == 0 ? std::string() : "not a number";
  const Offender& first = row.worst.front();
  return fmt::format("{} at {}", row.numberless != 0 ? "not a number" : numberText(first.value),
                     utf8::printable(first.place));
}

std::string reasonText(const ClaimRow& row) {
  auto those = [&](verdict outcome, std::string_view what) {
    std::vector<std::string> out;
    for (const ClaimGround& each : row.grounds)
      if (each.outcome == outcome)
        out.push_back(each.slice == "*"
                          ? fmt::format("{} {}", each.clause, what)
                          : fmt::format("{} {} on {}", each.clause, what, each.slice));
    return out;
  };
  auto joined = [](const std::vector<std::string>& texts) {
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  switch (row.state) {
  case claim_state::withdrawn:
    return joined(those(verdict::violated, "is violated"));
  case claim_state::suspended:
    return fmt::format("{} {} broken", joined(row.broken), row.broken.size() == 1 ? "is" : "are");
  case claim_state::not_shown: {
    if (!row.isProved)
      return "the contract does not prove it";
    std::vector<std::string> out = those(verdict::undecided, "is undecided");
    const std::vector<std::string> unasked = those(verdict::unasked, "was left out");
    out.insert(out.end(), unasked.begin(), unasked.end());
    for (const std::string& each : row.settings)
      out.push_back("the data differ in " + each);
    if (row.isOfDisprovedLogs)
      out.push_back(
          "the log-probs are not those of the distribution that the tokens were sampled from");
    return joined(out);
  }
  case claim_state::shown:
    return row.trusted.empty() ? std::string() : "taken on trust: " + joined(row.trusted);
  }
  return {};
}

std::string observedText(const ClaimRow& row) {
  std::string out;
  for (const ObservedBound& each : row.observed) {
    out += out.empty() ? "" : ", ";
    if (!each.bound) {
      out += each.why;
      continue;
    }
    out += fmt::format("{} {}{}{}", each.isLower ? ">=" : "<=", numberText(each.bound),
                       each.unit.empty() || each.unit == "%" ? "" : " ", each.unit);
    out += fmt::format(" at {:.4g}% ({})", *each.confidence * 100, fmt::join(each.from, ", "));
    if (each.unjudged != 0)
      out += fmt::format("; {} not judged", data::grouped(each.unjudged));
    if (each.isBeyond)
      out += row.state == claim_state::withdrawn
                 ? ", beyond the claim"
                 : ", beyond the claim: too few data to show it with this confidence";
  }
  return out;
}

std::string assumptionTable(const MeasuredContract& contract, bool isQuiet) {
  std::vector<std::vector<std::string>> table = {
      {"state", "assumption", "seen", "n", "out of range", "claims"}};
  for (const AssumptionRow& row : contract.assumptions)
    if (!isQuiet || row.state == assumption_state::broken)
      table.push_back({name(row.state), utf8::printable(row.says), spanText(row),
                       row.observations == 0 ? "" : data::grouped(row.observations),
                       row.state == assumption_state::broken ? offenceText(row) : outsideText(row),
                       utf8::printable(fmt::format("{}", fmt::join(row.claims, ", ")))});
  return table.size() == 1 ? std::string() : inColumns(table);
}

std::string claimTable(const MeasuredContract& contract, bool isQuiet) {
  std::vector<std::vector<std::string>> table = {
      {"state", "claim", "says", "bound from the data", "why"}};
  for (const ClaimRow& row : contract.claims)
    if (!isQuiet || row.state != claim_state::shown)
      table.push_back({name(row.state), utf8::printable(row.claim), utf8::printable(row.says),
                       observedText(row), utf8::printable(reasonText(row))});
  return table.size() == 1 ? std::string() : inColumns(table);
}

} // namespace tikc::measure
