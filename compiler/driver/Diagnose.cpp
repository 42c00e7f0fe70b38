#include "data/inspect/Summary.h"
#include "driver/CommonOptions.h"
#include "driver/DataOptions.h"
#include "driver/EvidenceFiles.h"
#include "driver/MeasuredPage.h"
#include "measure/DiagnosisForms.h"
#include "tikc/Version.h"

#include <fmt/format.h>

namespace tikc::driver {
namespace {

struct Diagnosed {
  data::Signs signs;
  page::Provenance provenance;
};

page::Provenance namesOf(std::string_view what, std::span<const std::string> files) {
  constexpr std::size_t mostNamed = 24;
  page::Provenance out;
  for (std::size_t i = 0; i < files.size() && i < mostNamed; ++i)
    out.emplace_back(i == 0 ? what : "", files[i]);
  if (files.size() > mostNamed)
    out.emplace_back("", fmt::format("and {} more", data::grouped(files.size() - mostNamed)));
  return out;
}

llvm::Expected<Diagnosed> diagnosedData(const Invocation& invocation) {
  auto request = dataAsked(invocation);
  if (!request)
    return request.takeError();
  auto source = data::Source::open(invocation.arguments, request->options);
  if (!source)
    return source.takeError();
  if (auto error = whyNotRecognised(*source))
    return error;
  data::Summary summary = data::summarise(*source, request->jobs, request->options.limits);
  for (const data::Fault& fault : summary.report.faults)
    fmt::print(stderr, "tikc: {}\n", data::describe(fault));
  if (auto error = whyNotRead(*source, summary.report, *request))
    return error;
  if (summary.report.responses != 0 && summary.tokens == 0)
    return usageError("no response has a token");
  if (summary.signs.responses == 0)
    return usageError("no log-probs of both sides for the same tokens found; name them with --map, "
                      "or join two files with --join");
  std::vector<std::string> files;
  for (const std::unique_ptr<data::Input>& each : source->inputs())
    files.insert(files.end(), each->files().begin(), each->files().end());
  return Diagnosed{summary.signs, namesOf("data", files)};
}

llvm::Expected<Diagnosed> diagnosedEvidence(const Invocation& invocation) {
  if (auto error = refuseOptions(invocation, fieldOptions, "evidence files"))
    return error;
  auto evidence = readEvidence(invocation.arguments, invocation.has("--allow-other"));
  if (!evidence)
    return evidence.takeError();
  measure::EvidenceSummary summary = measure::summaryOf(*evidence);
  if (auto error = evidence->whyRewritten())
    return error;
  page::Provenance provenance = namesOf("evidence", invocation.arguments);
  provenance.emplace_back("", summary.text());
  return Diagnosed{summary.intake.signs, std::move(provenance)};
}

llvm::Error writeDiagnosisPage(const Invocation& invocation, Diagnosed from,
                               const data::Diagnosis& diagnosis) {
  from.provenance.emplace_back("tikc", versionString);
  from.provenance.emplace_back("command", invocation.line);
  const page::DiagnosisContent content{from.signs, diagnosis, std::move(from.provenance)};
  return writePageFiles(
      invocation, [&] { return page::diagnosisPage(content); },
      [&] { return page::figureFiles(content); });
}

int exitStatus(const data::Diagnosis& diagnosis, std::string_view undecided) {
  if (diagnosis.state == data::DiagnosisState::named)
    return Findings;
  if (diagnosis.state == data::DiagnosisState::none || undecided == "pass")
    return Clean;
  return undecided == "fail" ? Findings : Undecided;
}

} // namespace

llvm::Expected<int> runDiagnose(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return missingArgument(invocation.command, "DATA");
  auto isEvidence = areEvidence(invocation.arguments);
  if (!isEvidence)
    return isEvidence.takeError();
  if (auto error = whyNoPage(invocation))
    return error;
  if (auto error = refuseOneFileTwice(invocation))
    return error;
  auto diagnosed = *isEvidence ? diagnosedEvidence(invocation) : diagnosedData(invocation);
  if (!diagnosed)
    return diagnosed.takeError();
  const auto diagnosis = data::Diagnosis::of(diagnosed->signs);
  if (auto error = writeDiagnosisPage(invocation, std::move(*diagnosed), diagnosis))
    return error;
  if (auto error = writeOutput(invocation, invocation.get("--format") == "json"
                                               ? measure::diagnosisJson(diagnosis)
                                               : measure::diagnosisText(diagnosis)))
    return error;
  return exitStatus(diagnosis, invocation.get("--undecided"));
}

} // namespace tikc::driver
