#include "driver/CommonOptions.h"
#include "driver/EvidenceFiles.h"
#include "driver/GateOptions.h"
#include "driver/MeasuredPage.h"
#include "driver/Rendering.h"
#include "gate/Forms.h"
#include "gate/StateFile.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::driver {
namespace {

std::string renderGate(const Invocation& invocation, const gate::GateReport& report) {
  const bool isDry = invocation.has("--dry-run");
  const std::string form = invocation.get("--format");
  if (form == "json")
    return gate::gateJson(report, isDry);
  if (form == "markdown")
    return gate::gateMarkdown(report, isDry);
  return gate::gateText(report, isDry, renderOptions(invocation).color);
}

int gateStatus(const Invocation& invocation, gate::GateOutcome outcome) {
  if (outcome != gate::GateOutcome::Hold)
    return outcome == gate::GateOutcome::Promote ? Clean : Findings;
  const std::string undecided = invocation.get("--undecided");
  return undecided == "pass" ? Clean : undecided == "fail" ? Findings : Undecided;
}

/// A dry run may have no state: then nothing was decided.
llvm::Expected<std::optional<gate::StateFile>> openState(const Invocation& invocation,
                                                         const std::string& contract) {
  const std::string path = invocation.get("--state");
  if (path.empty()) {
    if (!invocation.has("--dry-run"))
      return usageError("missing option --state, which only --dry-run can do without");
    return std::nullopt;
  }
  if (auto error = refuseOverwriting(invocation, path))
    return error;
  auto out = gate::StateFile::open(path, contract, invocation.has("--new"));
  if (!out)
    return out.takeError();
  return std::optional(std::move(*out));
}

page::Lead leadOf(const gate::GateReport& report, bool isDry) {
  page::Lead out;
  out.heading = isDry ? "Decision of a dry run (not saved)" : "Decision";
  out.word = gate::outcomeText(report);
  out.tone = report.outcome == gate::GateOutcome::Promote    ? page::Lead::Tone::Good
             : report.outcome == gate::GateOutcome::RollBack ? page::Lead::Tone::Bad
                                                             : page::Lead::Tone::Open;
  for (const gate::Reason& each : report.reasons)
    out.lines.push_back((gate::info(each.id).effect == gate::ReasonEffect::Note ? "noted: " : "") +
                        gate::reasonText(each));
  for (const std::string& each : gate::missingLines(report))
    out.lines.push_back("missing: " + each);
  for (std::string& each : gate::basisLines(report))
    out.lines.push_back(std::move(each));
  out.rows = gate::rowCells(report);
  return out;
}

/// The decision, and below it all that the evidence shows. Of evidence that the contract cannot
/// judge there is nothing to show but the decision.
llvm::Error writeDecisionPage(const Invocation& invocation, const PageSubject& subject,
                              const gate::GateReport& report, const measure::Evidence& evidence) {
  std::vector<page::Lead> leads{leadOf(report, invocation.has("--dry-run"))};
  const measure::MeasuredPlan& plan = report.request.subject;
  if (auto error = measure::whyNotJudged(evidence.shape, plan)) {
    llvm::consumeError(std::move(error)); // is a reason of the decision
    measure::Evidence none;
    none.shape = measure::EvidenceShape::of(plan);
    return writePageOf(invocation, subject, plan, none, {}, std::move(leads));
  }
  auto others =
      measure::othersIn(evidence, measure::EvidenceOrigin::of(plan, report.request.stage));
  return writePageOf(invocation, subject, plan, evidence, std::move(others), std::move(leads));
}

/// Of the words alone, before anything is read.
llvm::Error whyNotGated(const Invocation& invocation) {
  const bool hasEvidence = invocation.arguments.size() > 1;
  if (invocation.arguments.empty() || (!hasEvidence && !invocation.has("--dry-run")))
    return missingArgument(invocation.command,
                           invocation.arguments.empty() ? "CONTRACT" : "EVIDENCE");
  if (isPageAsked(invocation) && !hasEvidence)
    return usageError("--report and --figures require EVIDENCE");
  if (auto error = refuseOneFileTwice(invocation))
    return error;
  return whyNoPage(invocation);
}

} // namespace

llvm::Expected<int> runGate(const Invocation& invocation) {
  if (auto error = whyNotGated(invocation))
    return error;
  SourceManager sources;
  const Limits limits;
  pipeline::TestedContracts contracts(sources, limits, invocation.get("--root"));
  auto contract = namedContract(contracts, invocation.arguments.front(), "gated");
  if (!contract)
    return contract.takeError();
  const model::Contract& target = *(*contract)->contract;
  const plan::Plan& plan = (*contract)->plan;
  const std::string stage = invocation.get("--stage");
  if (auto error = whyNoStage(target, stage))
    return error;
  auto now = timeOf(invocation);
  if (!now)
    return now.takeError();
  auto maxAge = durationOf(invocation, "--max-age");
  if (!maxAge)
    return maxAge.takeError();
  auto terms = termsOf(invocation, target);
  if (!terms)
    return terms.takeError();
  std::optional<measure::Evidence> evidence;
  if (invocation.arguments.size() > 1) {
    auto read = readEvidence(std::span(invocation.arguments).subspan(1), true);
    if (!read)
      return read.takeError();
    evidence = std::move(*read);
  }
  const engine::LoadedPlan loaded(plan);
  const auto subject = stagedPlan(plan, loaded, stage, evidence ? &*evidence : nullptr);
  auto file = openState(invocation, plan.contract);
  if (!file)
    return file.takeError();
  gate::GateState state = *file ? (*file)->state : gate::GateState();
  const gate::GateRequest request{subject, target, stage, *now, *maxAge, *terms};
  auto report = gate::gateReport(request, evidence ? &*evidence : nullptr, state);
  if (!report)
    return report.takeError();
  if (!invocation.has("--dry-run")) {
    gate::keep(*report, (*file)->state);
    if (auto error = (*file)->save())
      return error;
  }
  if (auto error = writeOutput(invocation, renderGate(invocation, *report)))
    return error;
  if (isPageAsked(invocation))
    if (auto error = writeDecisionPage(invocation, {sources, **contract}, *report, *evidence))
      return error;
  return gateStatus(invocation, report->outcome);
}

} // namespace tikc::driver
