#include "checker/engine/LoadedPlan.h"
#include "data/Fault.h"
#include "data/bytes/Digest.h"
#include "driver/CommonOptions.h"
#include "driver/DataOptions.h"
#include "driver/EvidenceFiles.h"
#include "driver/MeasureRequest.h"
#include "driver/MeasuredAgainst.h"
#include "driver/ProgressLine.h"
#include "driver/Rendering.h"
#include "driver/WatchedTable.h"
#include "measure/Forms.h"
#include "measure/Scalars.h"
#include "pipeline/TestedContracts.h"
#include "support/Files.h"
#include "support/FolderLock.h"
#include "support/Utf8.h"
#include "tikc/Version.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::driver {
namespace {

std::string renderMeasured(const Invocation& invocation,
                           const measure::MeasuredContract& contract) {
  const std::string form = invocation.get("--format");
  if (form == "json")
    return measure::measuredJson(contract);
  if (form == "markdown")
    return measure::measuredMarkdown(contract);
  if (form == "csv")
    return measure::measuredCsv(contract);
  if (form == "junit")
    return measure::measuredJunit(contract);
  return measure::measuredText(contract, invocation.has("--quiet"),
                               renderOptions(invocation).color);
}

std::uint64_t bytesOf(const data::Source& source) {
  std::uint64_t out = 0;
  for (const std::unique_ptr<data::Input>& each : source.inputs())
    out += each->bytes();
  return out;
}

/// What keeps a measurement from being told: it would be of less than it says.
llvm::Error whyNotMeasured(const Invocation& invocation, const measure::MeasuredPlan& measured,
                           const measure::Intake& intake, const Tolerance& tolerated) {
  using By = measure::Rounds::By;
  if (intake.unpaired > tolerated.unpaired)
    return usageError(fmt::format("{} response{} log-probs of only one side",
                                  data::grouped(intake.unpaired),
                                  intake.unpaired == 1 ? " has" : "s have"));
  if (const std::size_t vocabulary = measured.plan.vocabulary; intake.strangers != 0)
    return usageError(
        fmt::format("{} row{} of {} logits, but the contract {}", data::grouped(intake.strangers),
                    intake.strangers == 1 ? " is" : "s are", intake.strangeLength,
                    vocabulary == 0 ? "does not state `model: { vocabulary: … }`"
                                    : fmt::format("has a vocabulary of {}", vocabulary)));
  if (auto error = measure::whyNotInSteps(measured, intake.report))
    return error;
  const By by = measured.rounds.by;
  if (invocation.has("--every") &&
      ((by == By::Step && !intake.namesSteps) || (by == By::Seconds && !intake.namesTimes)))
    return usageError(
        fmt::format("--every={} requires data with a {}; name its field with --map {}=FIELD",
                    invocation.get("--every"), by == By::Step ? "step" : "time",
                    by == By::Step ? "step" : "time"));
  return llvm::Error::success();
}

/// The same of evidence: what was passed over as it was made has to be allowed here, too.
llvm::Error whyNotComplete(const measure::Intake& intake, const Tolerance& tolerated) {
  if (const std::uint64_t broken = intake.report.broken; broken > tolerated.broken)
    return usageError(fmt::format(
        "{} broken record{} skipped when the evidence was made; use --broken={} to accept this",
        data::grouped(broken), broken == 1 ? " was" : "s were", broken));
  if (const std::uint64_t alone = intake.unpaired + intake.report.unpaired;
      alone > tolerated.unpaired)
    return usageError(fmt::format("{} response{} without a partner {} skipped when the evidence "
                                  "was made; use --unpaired={} to accept this",
                                  data::grouped(alone), alone == 1 ? "" : "s",
                                  alone == 1 ? "was" : "were", alone));
  return llvm::Error::success();
}

int statusOf(const measure::MeasuredContract& contract, const std::string& undecided) {
  const std::string_view fresh = contract.outcome();
  if (fresh == name(verdict::satisfied))
    return Clean;
  if (fresh != name(verdict::undecided))
    return Findings;
  return undecided == "pass" ? Clean : undecided == "fail" ? Findings : Undecided;
}

llvm::Expected<int> tell(const MeasureRequest& request, const measure::MeasuredPlan& subject,
                         const measure::Measurement& measured, std::vector<std::string> others,
                         const MeasuredAgainst* against,
                         const measure::Evidence* evidence = nullptr) {
  auto all = measure::MeasuredContract::of(subject, measured,
                                           measure::rowsOf(subject, measured, request.clauses),
                                           std::move(others), !request.clauses.empty());
  all.observeClaims(request.contract, request.clauses);
  if (against != nullptr) {
    all.against = &against->contract();
    all.againstName = against->name();
  }
  if (auto error = writePage(request.invocation, request.page, all,
                             page::provenanceOf(all, request.page.contract.name, evidence)))
    return error;
  if (auto error = writeOutput(request.invocation, renderMeasured(request.invocation, all)))
    return error;
  return statusOf(all, request.invocation.get("--undecided"));
}

/// Of two that write one file, the second would take away what the first wrote.
llvm::Error keepEvidence(const MeasureRequest& request, const measure::Evidence& evidence,
                         const EvidenceFile& before) {
  const std::string path = request.invocation.get("--evidence");
  if (auto error = refuseOverwriting(request.invocation, path))
    return error;
  const FolderLock lock(path);
  if (auto error = before.whyChanged())
    return error;
  return writeEvidence(path, evidence);
}

/// All that decides what is observed of a piece, beside its bytes.
data::PieceId whatIsObserved(const MeasureRequest& request, const data::Source& source) {
  data::Digest out;
  auto add = [&](std::string_view text) {
    out.add(std::uint64_t{text.size()});
    out.add(text);
  };
  const auto shape = measure::EvidenceShape::of(request.subject);
  add(versionString);
  add(shape.pair);
  out.add(shape.tallies);
  out.add(request.subject.loaded.fingerprint);
  add(shape.rounds.text());
  out.add(static_cast<std::uint64_t>(source.layout().shift));
  add(request.invocation.get("--join"));
  add(request.invocation.get("--vocabulary"));
  for (const data::Layout& layout : source.layouts()) {
    add(layout.preset);
    for (const data::Binding& each : layout.bindings) {
      add(data::nameOf(each));
      for (const std::string& path : each.paths)
        add(path);
    }
  }
  return out.id();
}

bool readsStandardInput(const MeasureRequest& request) {
  return std::find(request.paths.begin(), request.paths.end(), "-") != request.paths.end();
}

/// Nothing where nobody wants to go on.
llvm::Expected<std::unique_ptr<measure::Journal>> journalOf(const MeasureRequest& request,
                                                            const data::Source& source) {
  const std::string path = request.invocation.get("--resume");
  if (path.empty())
    return nullptr;
  if (readsStandardInput(request))
    return usageError("--resume cannot be combined with standard input");
  return measure::Journal::open(path, whatIsObserved(request, source));
}

/// Tells how far it has come, and with --watch of what.
class Watcher {
public:
  Watcher(const MeasureRequest& request, std::size_t pieces, std::uint64_t bytes)
      : asked_(request), pieces_(pieces), table_(request.invocation.has("--watch")),
        progress_(pieces, bytes) {}

  void show(std::size_t pieces, llvm::function_ref<measure::Measurement()> soFar) {
    if (!table_.isShown())
      return progress_.show(pieces);
    if (!table_.isDue())
      return;
    const measure::Measurement judged = soFar();
    const auto contract = measure::MeasuredContract::of(
        asked_.subject, judged, measure::rowsOf(asked_.subject, judged, asked_.clauses), {},
        !asked_.clauses.empty());
    std::vector<std::string> lines = measure::compactLines(contract, table_.room() - 1);
    lines.insert(lines.begin(), fmt::format("{} of {} pieces read", pieces, pieces_));
    table_.show(lines);
  }

private:
  const MeasureRequest& asked_;
  std::size_t pieces_;
  WatchedTable table_;
  ProgressLine progress_;
};

llvm::Expected<int> measureData(const MeasureRequest& request) {
  const EvidenceFile before(request.invocation.get("--evidence"));
  auto reading = dataAsked(request.invocation);
  if (!reading)
    return reading.takeError();
  const measure::MeasuredPlan& subject = request.subject;
  auto against = MeasuredAgainst::of(request, subject);
  if (!against)
    return against.takeError();
  reading->options.labels = measure::fieldsOfSlices(subject.plan);
  reading->options.limits.digestsBytes = request.invocation.has("--evidence") ||
                                         request.invocation.has("--resume") ||
                                         request.invocation.has("--report");
  auto source = data::Source::open(request.paths, reading->options);
  if (!source)
    return source.takeError();
  if (auto error = whyNotRecognised(*source))
    return error;
  const bool isKept = request.invocation.has("--evidence");
  if (isKept)
    if (auto error = whyNotKept(request.invocation.get("--evidence")))
      return error;
  const engine::LoadedPolicy policy(subject.plan);
  // Where evidence is written there is room for it.
  const auto folder = folderOfOutput(
      request.invocation.get(isKept ? OptionName("--evidence") : OptionName("--resume")));
  measure::EvidenceCollector collected(isKept ? source->pieces() : 0, folder);
  auto journal = journalOf(request, *source);
  if (!journal)
    return journal.takeError();
  llvm::Expected<measure::Measurement> measuredOrNot = [&] {
    Watcher watcher(request, source->pieces(), bytesOf(*source));
    return measure::measure(
        subject, policy, *source, reading->jobs,
        {[&](std::size_t pieces, llvm::function_ref<measure::Measurement()> soFar) {
           watcher.show(pieces, soFar);
         },
         isKept ? &collected : nullptr, journal->get(), folder});
  }();
  if (!measuredOrNot)
    return measuredOrNot.takeError();
  const measure::Measurement& measured = *measuredOrNot;
  for (const data::Fault& fault : measured.intake.report.faults)
    fmt::print(stderr, "tikc: {}\n", data::describe(source->located(fault)));
  if (auto error = whyNotRead(*source, measured.intake.report, *reading))
    return error;
  if (auto error = whyNotMeasured(request.invocation, subject, measured.intake, reading->tolerated))
    return error;
  if (isKept) {
    auto evidence =
        collected.finish(measure::EvidenceShape::of(subject),
                         measure::EvidenceOrigin::of(subject, request.stage()), measured.pieces);
    if (!evidence)
      return evidence.takeError();
    if (auto error = keepEvidence(request, *evidence, before))
      return error;
  }
  std::vector<std::string> others;
  for (const auto& [name, read] : source->passedOver())
    others.push_back(fmt::format("{} is skipped; only {} are judged", utf8::ticked(name), read));
  auto status = tell(request, subject, measured, std::move(others), against->get());
  if (status && *journal)
    if (auto error = (*journal)->finish())
      return error;
  return status;
}

llvm::Expected<int> measureEvidence(const MeasureRequest& request) {
  if (auto error = refuseOptions(request.invocation, fieldOptions, "evidence files"))
    return error;
  if (auto error = refuseOptions(request.invocation, {"--resume"}, "evidence files"))
    return error;
  const EvidenceFile before(request.invocation.get("--evidence"));
  auto evidence = readEvidence(request.paths, request.invocation.has("--allow-other"));
  if (!evidence)
    return evidence.takeError();
  auto subject = request.subjectOf(*evidence);
  if (!subject)
    return subject.takeError();
  auto wanted = measure::EvidenceOrigin::of(*subject, request.stage());
  if (!request.invocation.has("--stage") && !evidence->origins.empty())
    wanted.stage = evidence->origins.front().stage;
  std::vector<std::string> others = measure::othersIn(*evidence, wanted);
  if (!others.empty() && !request.invocation.has("--allow-other"))
    return usageError(others.front() + "; use --allow-other to judge it anyway");
  auto against = MeasuredAgainst::of(request, *subject);
  if (!against)
    return against.takeError();
  auto measured = measure::measure(*subject, engine::LoadedPolicy(subject->plan), *evidence);
  if (!measured)
    return measured.takeError();
  auto reading = dataAsked(request.invocation);
  if (!reading)
    return reading.takeError();
  if (auto error = whyNotComplete(measured->intake, reading->tolerated))
    return error;
  if (request.invocation.has("--evidence"))
    if (auto error = keepEvidence(request, *evidence, before))
      return error;
  return tell(request, *subject, *measured, std::move(others), against->get(), &*evidence);
}

llvm::Expected<int> measureScalars(const MeasureRequest& request) {
  if (auto error = refuseOptions(request.invocation, fieldOptions, "--scalars"))
    return error;
  if (auto error = refuseOptions(
          request.invocation, {"--every", "--evidence", "--allow-other", "--resume", "--against"},
          "--scalars"))
    return error;
  if (readsStandardInput(request))
    return usageError("--scalars cannot be combined with standard input");
  measure::FigureNames names;
  auto log = data::readScalars(request.paths, {}, names);
  if (!log)
    return log.takeError();
  if (log->figures == 0)
    return usageError("no logged metrics found: the files have no named numbers");
  measure::MeasuredPlan subject = request.subject;
  subject.rounds = {measure::Rounds::By::Step, 0};
  const measure::AssumptionResults unwatched =
      measure::AssumptionResults::of(engine::LoadedChecker(subject.loaded));
  measure::Measurement none{measure::CheckRecords(subject.loaded), {}, {}, {}, unwatched};
  none.intake.report.records = log->records;
  const measure::ScalarsRequest scalars{request.clauses,
                                        trainers::trainerNamed(request.invocation.get("--as-set"))};
  const auto all =
      measure::MeasuredContract::of(subject, none, measure::rowsOfScalars(subject, *log, scalars),
                                    measure::scalarLines(*log, scalars), !request.clauses.empty());
  page::Provenance provenance = page::provenanceOf(all, request.page.contract.name, nullptr);
  for (const std::string& each : request.paths)
    provenance.emplace_back("logged figures", each);
  if (auto error = writePage(request.invocation, request.page, all, std::move(provenance)))
    return error;
  if (auto error = writeOutput(request.invocation, renderMeasured(request.invocation, all)))
    return error;
  return statusOf(all, request.invocation.get("--undecided"));
}

} // namespace

llvm::Expected<int> runMeasure(const Invocation& invocation) {
  if (invocation.arguments.size() < 2)
    return missingArgument(invocation.command, invocation.arguments.empty() ? "CONTRACT" : "DATA");
  auto opened = OpenedContract::open(invocation, invocation.arguments.front(), "measured");
  if (!opened)
    return opened.takeError();
  const OpenedContract& contract = **opened;
  const plan::Plan& plan = contract->plan;
  const engine::LoadedPlan loaded(plan);
  auto request = MeasureRequest::of(invocation, {contract.sources(), *contract}, loaded);
  if (!request)
    return request.takeError();
  if (auto error = refuseOneFileTwice(invocation))
    return error;
  if (auto error = whyNoPage(invocation))
    return error;
  if (invocation.has("--as-set") && !invocation.has("--scalars"))
    return usageError("--as-set requires --scalars");
  if (invocation.has("--scalars"))
    return measureScalars(*request);
  auto isEvidence = areEvidence(request->paths);
  if (!isEvidence)
    return isEvidence.takeError();
  return *isEvidence ? measureEvidence(*request) : measureData(*request);
}

} // namespace tikc::driver
