#include "measure/Forms.h"

#include "measure/ObservedClaims.h"

#include "support/Columns.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tikc::measure {
namespace {

std::string outsideText(const AssumptionRow& row) {
  return row.outside
             ? fmt::format("at most {:.3g}% of others, with 95% confidence", *row.outside * 100)
             : std::string();
}

} // namespace

MeasuredContract MeasuredContract::of(const MeasuredPlan& subject, const Measurement& measured,
                                      std::vector<Row> rows, std::vector<std::string> others) {
  const data::Signs& signs = measured.intake.signs;
  return {subject,
          measured,
          std::move(rows),
          std::move(others),
          assumptionRowsOf(subject, measured),
          claimRowsOf(subject, measured),
          signs.responses == 0 ? std::nullopt : std::optional(data::Diagnosis::of(signs))};
}

void MeasuredContract::observeClaims(const model::Contract& contract,
                                     std::span<const std::string> clauses) {
  auto observed = observedClaimsOf(contract, subject, measured, clauses);
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (claims[i].is != claim_state::suspended)
      claims[i].observed = std::move(observed[i]);
}

bool MeasuredContract::isSuspended() const { return measured.assumed.isAnySuspended(); }

std::string_view MeasuredContract::outcome() const {
  const verdict is = verdictOf(rows);
  return is != verdict::violated && isSuspended() ? name(claim_state::suspended) : name(is);
}

std::string spanText(const AssumptionRow& row) {
  if (row.observations == 0)
    return {};
  if (row.numberless == row.observations)
    return "no number";
  return row.least == row.greatest
             ? numberText(row.least)
             : fmt::format("from {} to {}", numberText(row.least), numberText(row.greatest));
}

std::string offenceText(const AssumptionRow& row) {
  if (row.worst.empty())
    return row.numberless == 0 ? std::string() : "no number";
  const Offender& first = row.worst.front();
  return fmt::format("{} at {}", row.numberless != 0 ? "no number" : numberText(first.value),
                     utf8::printable(first.place));
}

std::string suspensionText(const ClaimRow& row) {
  return row.broken.empty() ? std::string()
                            : fmt::format("{} {} broken", fmt::join(row.broken, ", "),
                                          row.broken.size() == 1 ? "is" : "are");
}

std::string_view name(Basis basis) {
  constexpr std::string_view names[] = {"confidence", "of the rows", "estimate"};
  return names[static_cast<std::size_t>(basis)];
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
    out += each.confidence ? fmt::format(" ({:.4g}%)", *each.confidence * 100)
                           : fmt::format(" ({})", name(each.basis));
    if (each.unjudged != 0)
      out += fmt::format(", without {} that no window judged", data::grouped(each.unjudged));
    if (each.isBeyond)
      out += ", beyond what is claimed";
  }
  return out;
}

std::string assumptionTable(const MeasuredContract& of, bool isQuiet) {
  std::vector<std::vector<std::string>> table = {
      {"state", "assumption", "seen", "n", "out of it", "claims"}};
  for (const AssumptionRow& row : of.assumptions)
    if (!isQuiet || row.is == assumption_state::broken)
      table.push_back({name(row.is), utf8::printable(row.says), spanText(row),
                       row.observations == 0 ? "" : data::grouped(row.observations),
                       row.is == assumption_state::broken ? offenceText(row) : outsideText(row),
                       utf8::printable(fmt::format("{}", fmt::join(row.claims, ", ")))});
  return table.size() == 1 ? std::string() : inColumns(table);
}

std::string claimTable(const MeasuredContract& of, bool isQuiet) {
  std::vector<std::vector<std::string>> table = {
      {"state", "claim", "says", "at what was observed", "why"}};
  for (const ClaimRow& row : of.claims)
    if (!isQuiet || row.is == claim_state::suspended)
      table.push_back({name(row.is), utf8::printable(row.claim), utf8::printable(row.says),
                       observedText(row), utf8::printable(suspensionText(row))});
  return table.size() == 1 ? std::string() : inColumns(table);
}

} // namespace tikc::measure
