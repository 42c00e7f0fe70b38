#include "data/Fault.h"
#include "driver/CommonOptions.h"
#include "driver/DataOptions.h"
#include "driver/EvidenceFiles.h"
#include "driver/MeasureRequest.h"
#include "driver/ProgressLine.h"
#include "driver/Rendering.h"
#include "engine/LoadedPlan.h"
#include "measure/Forms.h"
#include "measure/Scalars.h"
#include "pipeline/TestedContracts.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <filesystem>

namespace tikc::driver {
namespace {

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

/// The report and the evidence would be written over one another.
llvm::Error whyNotWritten(const Invocation& invocation) {
  namespace fs = std::filesystem;
  if (!invocation.has("--output") || !invocation.has("--evidence"))
    return llvm::Error::success();
  std::error_code error;
  const fs::path told = fs::weakly_canonical(fs::absolute(invocation.get("--output")), error);
  const fs::path kept = fs::weakly_canonical(fs::absolute(invocation.get("--evidence")), error);
  if (error || told != kept)
    return llvm::Error::success();
  return usageError(fmt::format("{} is named as --output and as --evidence",
                                utf8::tickedPath(invocation.get("--evidence"))));
}

int statusOf(const measure::MeasuredContract& of, const std::string& undecided) {
  const verdict is = measure::verdictOf(of.rows);
  if (is == verdict::violated || of.isSuspended())
    return Findings;
  if (is == verdict::satisfied || undecided == "pass")
    return Clean;
  return undecided == "fail" ? Findings : Undecided;
}

llvm::Expected<int> tell(const MeasureRequest& asked, const measure::MeasuredPlan& subject,
                         const measure::Measurement& measured, std::vector<std::string> others) {
  const auto all = measure::MeasuredContract::of(
      subject, measured, measure::rowsOf(subject, measured, asked.clauses), std::move(others));
  if (auto error = writeOutput(asked.invocation, renderMeasured(asked.invocation, all)))
    return error;
  return statusOf(all, asked.invocation.get("--undecided"));
}

llvm::Error keepEvidence(const MeasureRequest& asked, const measure::Evidence& evidence) {
  const std::string path = asked.invocation.get("--evidence");
  if (auto error = refuseOverwriting(asked.invocation, path))
    return error;
  return writeFile(path, evidence.bytes());
}

llvm::Expected<int> measureData(const MeasureRequest& asked) {
  auto reading = dataAsked(asked.invocation);
  if (!reading)
    return reading.takeError();
  const measure::MeasuredPlan& subject = asked.subject;
  reading->options.labels = measure::fieldsOfSlices(subject.plan);
  auto source = data::Source::open(asked.paths, reading->options);
  if (!source)
    return source.takeError();
  if (auto error = whyNotRecognised(*source))
    return error;
  const bool isKept = asked.invocation.has("--evidence");
  const engine::LoadedPolicy policy(subject.plan);
  measure::EvidenceCollector collected(isKept ? source->pieces() : 0);
  const measure::Measurement measured = [&] {
    ProgressLine progress(source->pieces(), bytesOf(*source));
    return measure::measure(
        subject, policy, *source, reading->jobs, [&](std::size_t pieces) { progress.show(pieces); },
        isKept ? &collected : nullptr);
  }();
  for (const data::Fault& fault : measured.intake.report.faults)
    fmt::print(stderr, "tikc: {}\n", data::describe(source->located(fault)));
  if (auto error = whyNotRead(*source, measured.intake.report, *reading))
    return error;
  if (auto error = whyNotMeasured(asked.invocation, subject, measured.intake, reading->tolerated))
    return error;
  if (isKept)
    if (auto error = keepEvidence(
            asked,
            collected.finish(measure::EvidenceShape::of(subject),
                             measure::EvidenceOrigin::of(subject, asked.stage()), measured.pieces)))
      return error;
  std::vector<std::string> others;
  for (const std::string& each : source->passedOver())
    others.push_back(fmt::format("{} is not read: what is judged are {}", utf8::ticked(each),
                                 source->layout().hasRows() ? "whole rows" : "log-probs"));
  return tell(asked, subject, measured, std::move(others));
}

llvm::Expected<int> measureEvidence(const MeasureRequest& asked) {
  for (std::string_view option : {"--preset", "--map", "--shift", "--join", "--vocabulary"})
    if (asked.invocation.has(option))
      return usageError(
          fmt::format("{} says how data are read, and evidence was read before", option));
  auto evidence = readEvidence(asked.paths, asked.invocation.has("--allow-other"));
  if (!evidence)
    return evidence.takeError();
  auto subject = asked.subjectOf(*evidence);
  if (!subject)
    return subject.takeError();
  auto wanted = measure::EvidenceOrigin::of(*subject, asked.stage());
  if (!asked.invocation.has("--stage") && !evidence->origins.empty())
    wanted.stage = evidence->origins.front().stage;
  std::vector<std::string> others = measure::othersIn(*evidence, wanted);
  if (!others.empty() && !asked.invocation.has("--allow-other"))
    return usageError(others.front() + "; --allow-other judges it all the same");
  auto measured = measure::measure(*subject, engine::LoadedPolicy(subject->plan), *evidence);
  if (!measured)
    return measured.takeError();
  if (asked.invocation.has("--evidence"))
    if (auto error = keepEvidence(asked, *evidence))
      return error;
  return tell(asked, *subject, *measured, std::move(others));
}

llvm::Expected<int> measureScalars(const MeasureRequest& asked) {
  for (std::string_view option : {"--preset", "--map", "--shift", "--join", "--vocabulary",
                                  "--every", "--evidence", "--allow-other"})
    if (asked.invocation.has(option))
      return usageError(fmt::format("{} is of data, and --scalars are figures", option));
  auto log = data::readScalars(asked.paths, {}, measure::isKnownFigure);
  if (!log)
    return log.takeError();
  if (log->figures == 0)
    return usageError("nothing was logged: the files have no number under a name");
  measure::MeasuredPlan subject = asked.subject;
  subject.rounds = {measure::Rounds::By::Step, 0};
  const measure::Assumed unwatched = measure::Assumed::of(engine::LoadedChecker(subject.loaded));
  measure::Measurement none{measure::CheckRecords(subject.loaded), {}, {}, {}, unwatched};
  none.intake.report.records = log->records;
  const measure::ScalarsAsked of{asked.clauses,
                                 trainers::trainerNamed(asked.invocation.get("--as-set"))};
  const auto all = measure::MeasuredContract::of(
      subject, none, measure::rowsOfScalars(subject, *log, of), measure::scalarLines(*log, of));
  if (auto error = writeOutput(asked.invocation, renderMeasured(asked.invocation, all)))
    return error;
  return statusOf(all, asked.invocation.get("--undecided"));
}

} // namespace

llvm::Expected<int> runMeasure(const Invocation& invocation) {
  if (invocation.arguments.size() < 2)
    return usageError("CONTRACT and DATA are needed (usage: " + usage(invocation.command) + ")");
  SourceManager sources;
  const Limits limits;
  pipeline::TestedContracts contracts(sources, limits, invocation.get("--root"));
  auto contract = namedContract(contracts, invocation.arguments.front(), "measured");
  if (!contract)
    return contract.takeError();
  const plan::Plan& plan = (*contract)->plan;
  const engine::LoadedPlan loaded(plan);
  auto asked = MeasureRequest::of(invocation, plan, loaded);
  if (!asked)
    return asked.takeError();
  if (auto error = whyNotWritten(invocation))
    return error;
  if (invocation.has("--as-set") && !invocation.has("--scalars"))
    return usageError("--as-set is of --scalars, which is not given");
  if (invocation.has("--scalars"))
    return measureScalars(*asked);
  auto isEvidence = areEvidence(asked->paths);
  if (!isEvidence)
    return isEvidence.takeError();
  return *isEvidence ? measureEvidence(*asked) : measureData(*asked);
}

} // namespace tikc::driver
