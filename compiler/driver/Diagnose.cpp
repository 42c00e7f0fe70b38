#include "data/inspect/Summary.h"
#include "driver/CommonOptions.h"
#include "driver/DataOptions.h"
#include "driver/EvidenceFiles.h"
#include "measure/DiagnosisForms.h"

#include <fmt/format.h>

namespace tikc::driver {
namespace {

llvm::Expected<data::Signs> signsOfData(const Invocation& invocation) {
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
  return summary.signs;
}

llvm::Expected<data::Signs> signsOfEvidence(const Invocation& invocation) {
  if (auto error = refuseOptions(invocation, fieldOptions, "evidence files"))
    return error;
  auto evidence = readEvidence(invocation.arguments, invocation.has("--allow-other"));
  if (!evidence)
    return evidence.takeError();
  data::Signs signs = measure::summaryOf(*evidence).intake.signs;
  if (auto error = evidence->whyRewritten())
    return error;
  return signs;
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
  auto signs = *isEvidence ? signsOfEvidence(invocation) : signsOfData(invocation);
  if (!signs)
    return signs.takeError();
  const auto diagnosis = data::Diagnosis::of(*signs);
  if (auto error = writeOutput(invocation, invocation.get("--format") == "json"
                                               ? measure::diagnosisJson(diagnosis)
                                               : measure::diagnosisText(diagnosis)))
    return error;
  return exitStatus(diagnosis, invocation.get("--undecided"));
}

} // namespace tikc::driver
