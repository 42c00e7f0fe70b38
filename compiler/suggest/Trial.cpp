#include "suggest/Trial.h"

#include "support/Check.h"

#include <algorithm>
#include <cmath>

namespace tikc::suggest {
namespace {

constexpr const char* draftName = "suggested.tikc.yaml";

} // namespace

CheckedDraft::CheckedDraft(const std::string& text)
    : file_(sources_.add(draftName, {}, text)), checker_(sources_, settings_),
      checked_(checker_.check(file_)) {}

bool CheckedDraft::hasErrors() const {
  return std::any_of(
      checked_.diagnostics.begin(), checked_.diagnostics.end(),
      [](const diag::Diagnostic& finding) { return finding.severity == diag::Severity::Error; });
}

std::string CheckedDraft::statementAt(const Span& span) const {
  for (const model::Contract& contract : checked_.contracts) {
    for (const model::Clause& clause : contract.clauses)
      if (clause.span.contains(span) || clause.id.span.contains(span))
        return clause.id.text;
    for (const model::Claim& claim : contract.claims)
      if (claim.span.contains(span) || claim.id.span.contains(span))
        return claim.id.text;
  }
  return {};
}

std::optional<std::string> CheckedDraft::formatted() {
  const pipeline::FormattedFile formatted = checker_.format(file_);
  EditSet edits;
  if (!formatted.edits || !edits.add(*formatted.edits))
    return std::nullopt;
  return edits.apply(file_, sources_.get(file_).text);
}

std::vector<ClauseOutcome> CheckedDraft::measured(const data::Source& source, unsigned jobs,
                                                  data::Diagnosis* diagnosis) const {
  const std::vector<plan::Plan> plans = pipeline::plansOf(checked_);
  TIKC_CHECK(plans.size() == 1, "a draft without errors is one contract");
  const engine::LoadedPlan loaded(plans.front());
  const measure::MeasuredPlan subject{plans.front(), loaded, 0,
                                      measure::Rounds::of(plans.front(), nullptr)};
  const engine::LoadedPolicy policy(plans.front());
  // The data are files, whose copies are known before they are judged.
  const auto measured = llvm::cantFail(measure::measure(subject, policy, source, jobs));
  if (diagnosis != nullptr)
    *diagnosis = data::Diagnosis::of(measured.intake.signs);
  return outcomesOf(subject, measured);
}

std::optional<Rational> numberIn(std::string_view bound) {
  return parseDecimal(bound.substr(0, std::min(bound.find_first_of("% "), bound.size())));
}

std::vector<ClauseOutcome> outcomesOf(const measure::MeasuredPlan& subject,
                                      const measure::Measurement& measured) {
  std::vector<ClauseOutcome> out;
  measure::eachAsked(subject, {}, [&](std::size_t clause, std::size_t check, std::size_t slice) {
    const measure::CheckRecord& record = measured.records.of(check, slice);
    const measure::Row blank = measure::blankRow(subject, clause, check, slice);
    const double unit = subject.plan.checks[check].unit;
    const bool isAny = record.windows() != 0;
    out.push_back({blank.clause, blank.slice, record.is(), record.shown.value / unit,
                   (isAny ? std::min(record.lowest, record.shown.low) : record.shown.low) / unit,
                   (isAny ? std::max(record.highest, record.shown.high) : record.shown.high) / unit,
                   measure::nearestBound(subject.plan.checks[check], record.shown.value),
                   record.shown.observations, record.windows()});
  });
  return out;
}

} // namespace tikc::suggest
