#include "driver/MeasureRequest.h"

#include "data/Fault.h"
#include "measure/Rows.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::driver {
namespace {

std::string printableNames(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& each : names)
    out += (out.empty() ? "" : ", ") + utf8::printable(each);
  return out;
}

llvm::Expected<const plan::Stage*> stageOf(const plan::Plan& plan, const std::string& wanted) {
  std::vector<std::string> names;
  for (const plan::Stage& each : plan.stages) {
    names.push_back(each.name);
    if (each.name == wanted)
      return &each;
  }
  if (!wanted.empty())
    return usageError(fmt::format("unknown stage {}{}", utf8::ticked(wanted),
                                  names.empty() ? "; the contract has none"
                                                : "; expected one of " + printableNames(names)));
  return nullptr;
}

llvm::Expected<measure::Rounds> roundsOf(const Invocation& invocation, const plan::Plan& plan,
                                         const plan::Stage* stage) {
  const std::string every = invocation.get("--every");
  if (every.empty())
    return measure::Rounds::of(plan, stage);
  auto rounds = measure::Rounds::read(every);
  if (!rounds)
    return usageError(fmt::format("invalid value {} for --every; expected step, file, all, or a "
                                  "number of tokens, responses or seconds",
                                  utf8::ticked(every)));
  return *rounds;
}

llvm::Expected<std::vector<std::string>> chosenClauses(const Invocation& invocation,
                                                       const plan::Plan& plan) {
  std::vector<std::string> names, out = invocation.all("--clause");
  for (std::size_t i = 0; i < plan.clauses.size(); ++i)
    if (!measure::isOfSampling(plan, i))
      names.push_back(plan.clauses[i].id);
  if (names.empty())
    return usageError(
        "the contract has no clause to judge on recorded data: all check live sampling rates");
  for (const std::string& each : out)
    if (std::find(names.begin(), names.end(), each) == names.end())
      return usageError(fmt::format("invalid value {} for --clause; expected one of {}",
                                    utf8::ticked(each), printableNames(names)));
  return out;
}

} // namespace

llvm::Expected<MeasureRequest> MeasureRequest::of(const Invocation& invocation,
                                                  const PageSubject& page,
                                                  const engine::LoadedPlan& loaded) {
  const plan::Plan& plan = page.contract.plan;
  auto stream = measure::pairNamed(plan, invocation.get("--pair"));
  if (!stream)
    return stream.takeError();
  auto stage = stageOf(plan, invocation.get("--stage"));
  if (!stage)
    return stage.takeError();
  auto rounds = roundsOf(invocation, plan, *stage);
  if (!rounds)
    return rounds.takeError();
  auto clauses = chosenClauses(invocation, plan);
  if (!clauses)
    return clauses.takeError();
  return MeasureRequest{invocation,
                        *page.contract.contract,
                        {plan, loaded, *stream, *rounds,
                         isPageAsked(invocation) || invocation.has("--against"),
                         *stage == nullptr ? std::nullopt : (*stage)->confidence},
                        std::move(*clauses),
                        {invocation.arguments.begin() + 1, invocation.arguments.end()},
                        page};
}

llvm::Expected<measure::MeasuredPlan>
MeasureRequest::subjectOf(const measure::Evidence& evidence) const {
  const measure::EvidenceShape& shape = evidence.shape;
  measure::MeasuredPlan out = subject;
  if (!invocation.has("--pair")) {
    auto stream = measure::pairNamed(subject.plan, shape.pair);
    if (!stream)
      return stream.takeError();
    out.stream = *stream;
  }
  if (!invocation.has("--every") && !invocation.has("--stage"))
    out.rounds = shape.rounds;
  if (auto error = measure::whyNotJudged(shape, out))
    return error;
  return out;
}

} // namespace tikc::driver
