#include "driver/CommonOptions.h"
#include "driver/EvidenceFiles.h"
#include "driver/GateOptions.h"
#include "gate/StateFile.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::driver {
namespace {

llvm::Error whyNotAccepted(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return missingArgument(invocation.command, "EVIDENCE");
  for (OptionName option :
       std::initializer_list<OptionName>{"--contract", "--state", "--by", "--because"})
    if (invocation.get(option).empty())
      return usageError(
          fmt::format("missing option {} (usage: {})", option.text(), usage(invocation.command)));
  return llvm::Error::success();
}

/// The same data would count twice.
llvm::Error whyNotAgain(const gate::GateState& state, const measure::Evidence& evidence) {
  for (const gate::AcceptedRun& run : state.history)
    for (const measure::EvidencePiece& each : evidence.pieces)
      if (std::find(run.pieces.begin(), run.pieces.end(), each.id) != run.pieces.end())
        return usageError(fmt::format("{} already accepted data of this evidence for {}",
                                      utf8::ticked(run.by), run.stage));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<int> runAccept(const Invocation& invocation) {
  if (auto error = whyNotAccepted(invocation))
    return error;
  auto opened = OpenedContract::open(invocation, invocation.get("--contract"), "gated");
  if (!opened)
    return opened.takeError();
  const OpenedContract& contract = **opened;
  const model::Contract& target = *contract->contract;
  const plan::Plan& plan = contract->plan;
  auto evidence = readEvidence(invocation.arguments, false);
  if (!evidence)
    return evidence.takeError();
  if (evidence->pieces.empty())
    return usageError("the evidence has no observations to accept");
  const std::string stage =
      invocation.has("--stage") ? invocation.get("--stage") : evidence->origins.front().stage;
  if (auto error = whyNoStage(target, stage))
    return error;
  auto now = timeOf(invocation);
  if (!now)
    return now.takeError();
  auto terms = termsOf(invocation, target);
  if (!terms)
    return terms.takeError();
  const engine::LoadedPlan loaded(plan);
  const auto subject = stagedPlan(plan, loaded, stage, &*evidence);
  const auto others = measure::othersIn(*evidence, measure::EvidenceOrigin::of(subject, stage));
  if (!others.empty())
    return usageError(others.front());
  if (auto error = measure::whyNotJudged(evidence->shape, subject))
    return error;
  const gate::GateRequest request{subject, target, stage, *now, {}, *terms};
  auto run =
      gate::acceptedRun(request, *evidence, invocation.get("--by"), invocation.get("--because"));
  if (!run)
    return run.takeError();
  auto file =
      gate::StateFile::open(invocation.get("--state"), plan.contract, invocation.has("--new"));
  if (!file)
    return file.takeError();
  if (auto error = whyNotAgain(file->state, *evidence))
    return error;
  const std::size_t rows = run->rows.size();
  file->state.latest = std::max(file->state.latest, *now);
  file->state.history.push_back(std::move(*run));
  if (auto error = file->save())
    return error;
  const std::size_t runs = static_cast<std::size_t>(
      std::count_if(file->state.history.begin(), file->state.history.end(),
                    [&](const gate::AcceptedRun& each) { return each.stage == stage; }));
  if (auto error = showText(fmt::format(
          "{} accepted {} piece{} of evidence for {}, with {} figure{} to compare; the history of "
          "the stage has {} run{}\n",
          utf8::printable(invocation.get("--by")), evidence->pieces.size(),
          evidence->pieces.size() == 1 ? "" : "s", stage, rows, rows == 1 ? "" : "s", runs,
          runs == 1 ? "" : "s")))
    return error;
  return Clean;
}

} // namespace tikc::driver
