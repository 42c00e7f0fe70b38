#include "driver/CommonOptions.h"
#include "driver/DataOptions.h"
#include "driver/ProgressLine.h"
#include "driver/Rendering.h"
#include "engine/LoadedPlan.h"
#include "measure/Forms.h"
#include "pipeline/TestedContracts.h"
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

llvm::Expected<std::size_t> streamOf(const plan::Plan& plan, const std::string& wanted) {
  std::vector<std::string> names;
  for (const plan::Stream& each : plan.streams)
    names.push_back(plan::streamName(each));
  if (wanted.empty())
    return 0;
  auto found = std::find(names.begin(), names.end(), wanted);
  if (found == names.end())
    return usageError(fmt::format("the contract has no pair {}; it has {}", utf8::ticked(wanted),
                                  printableNames(names)));
  return static_cast<std::size_t>(found - names.begin());
}

llvm::Expected<measure::Rounds> roundsOf(const Invocation& invocation, const plan::Plan& plan) {
  const std::string every = invocation.get("--every"), stageName = invocation.get("--stage");
  const plan::Stage* stage = nullptr;
  std::vector<std::string> names;
  for (const plan::Stage& each : plan.stages) {
    names.push_back(each.name);
    if (each.name == stageName)
      stage = &each;
  }
  if (!stageName.empty() && stage == nullptr)
    return usageError(fmt::format("the contract has no stage {}{}", utf8::ticked(stageName),
                                  names.empty() ? "" : "; it has " + printableNames(names)));
  if (every.empty())
    return measure::Rounds::of(plan, stage);
  auto rounds = measure::Rounds::read(every);
  if (!rounds)
    return usageError(fmt::format("{} is not what --every takes: step, file, all, or a number of "
                                  "tokens, responses or seconds",
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
    return usageError("the contract has no clause that recorded data are asked for: all are about "
                      "sampling what is served");
  for (const std::string& each : out)
    if (std::find(names.begin(), names.end(), each) == names.end())
      return usageError(fmt::format("recorded data are asked for no clause {} here, but for {}",
                                    utf8::ticked(each), printableNames(names)));
  return out;
}

std::string renderMeasured(const Invocation& invocation, const measure::MeasuredContract& of) {
  const std::string form = invocation.get("--format");
  if (form == "json")
    return measure::measuredJson(of);
  if (form == "markdown")
    return measure::measuredMarkdown(of);
  if (form == "csv")
    return measure::measuredCsv(of);
  if (form == "junit")
    return measure::measuredJunit(of);
  return measure::measuredText(of, invocation.has("--quiet"), renderOptions(invocation).color);
}

std::uint64_t bytesOf(const data::Source& source) {
  std::uint64_t out = 0;
  for (const std::unique_ptr<data::Input>& each : source.inputs())
    out += each->bytes();
  return out;
}

/// What keeps a measurement from being told: it would be of less than it says.
llvm::Error whyNotMeasured(const Invocation& invocation, const measure::MeasuredPlan& measured,
                           const measure::Intake& intake, const Tolerated& tolerated) {
  using By = measure::Rounds::By;
  if (intake.unpaired > tolerated.unpaired)
    return usageError(fmt::format("{} response{} log-probs of one side alone",
                                  data::grouped(intake.unpaired),
                                  intake.unpaired == 1 ? " has" : "s have"));
  if (const std::size_t vocabulary = measured.plan.vocabulary; intake.strangers != 0)
    return usageError(
        fmt::format("{} row{} of {} logits, and the contract {}", data::grouped(intake.strangers),
                    intake.strangers == 1 ? " is" : "s are", intake.strangeLength,
                    vocabulary == 0 ? "names no `model: { vocabulary: … }`"
                                    : fmt::format("has a vocabulary of {}", vocabulary)));
  const By by = measured.rounds.by;
  if (invocation.has("--every") &&
      ((by == By::Step && !intake.namesSteps) || (by == By::Seconds && !intake.namesTimes)))
    return usageError(fmt::format("--every={} needs the data to name a {}, as --map {}=FIELD",
                                  invocation.get("--every"), by == By::Step ? "step" : "time",
                                  by == By::Step ? "step" : "time"));
  return llvm::Error::success();
}

/// What is to be measured of a contract.
struct MeasuringAsked {
  std::size_t stream = 0;
  measure::Rounds rounds;
  std::vector<std::string> clauses;
};

llvm::Expected<MeasuringAsked> askedOf(const Invocation& invocation, const plan::Plan& plan) {
  auto stream = streamOf(plan, invocation.get("--pair"));
  if (!stream)
    return stream.takeError();
  auto rounds = roundsOf(invocation, plan);
  if (!rounds)
    return rounds.takeError();
  auto clauses = chosenClauses(invocation, plan);
  if (!clauses)
    return clauses.takeError();
  return MeasuringAsked{*stream, *rounds, std::move(*clauses)};
}

int statusOf(verdict is, const std::string& undecided) {
  if (is == verdict::violated)
    return Findings;
  if (is == verdict::satisfied || undecided == "pass")
    return Clean;
  return undecided == "fail" ? Findings : Undecided;
}

} // namespace

llvm::Expected<int> runMeasure(const Invocation& invocation) {
  if (invocation.arguments.size() < 2)
    return usageError("CONTRACT and DATA are needed (usage: " + usage(invocation.command) + ")");
  auto reading = dataAsked(invocation);
  if (!reading)
    return reading.takeError();
  SourceManager sources;
  const Limits limits;
  pipeline::TestedContracts contracts(sources, limits, invocation.get("--root"));
  auto contract = namedContract(contracts, invocation.arguments.front(), "measured");
  if (!contract)
    return contract.takeError();
  const plan::Plan& plan = (*contract)->plan;
  auto asked = askedOf(invocation, plan);
  if (!asked)
    return asked.takeError();

  const std::vector<std::string> paths(invocation.arguments.begin() + 1,
                                       invocation.arguments.end());
  reading->options.labels = measure::fieldsOfSlices(plan);
  auto source = data::Source::open(paths, reading->options);
  if (!source)
    return source.takeError();
  if (auto error = whyNotRecognised(*source))
    return error;
  const engine::LoadedPlan loaded(plan);
  const engine::LoadedPolicy policy(plan);
  const measure::MeasuredPlan subject{plan, loaded, asked->stream, asked->rounds};
  const measure::Measurement measured = [&] {
    ProgressLine progress(source->pieces(), bytesOf(*source));
    return measure::measure(subject, policy, *source, reading->jobs,
                            [&](std::size_t pieces) { progress.show(pieces); });
  }();
  for (const data::Fault& fault : measured.intake.report.faults)
    fmt::print(stderr, "tikc: {}\n", data::describe(source->located(fault)));
  if (auto error = whyNotRead(*source, measured.intake.report, reading->tolerated))
    return error;
  if (auto error = whyNotMeasured(invocation, subject, measured.intake, reading->tolerated))
    return error;
  const measure::MeasuredContract all{subject, measured, *source,
                                      measure::rowsOf(subject, measured, *source, asked->clauses)};
  if (auto error = writeOutput(invocation, renderMeasured(invocation, all)))
    return error;
  return statusOf(measure::verdictOf(all.rows), invocation.get("--undecided"));
}

} // namespace tikc::driver
