#include "audit/Audit.h"
#include "driver/CommonOptions.h"
#include "driver/Rendering.h"
#include "pipeline/TestedContracts.h"
#include "project/Inputs.h"
#include "support/Files.h"
#include "support/Rational.h"
#include "support/Utf8.h"
#include "tikc/Version.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tikc::driver {
namespace {

/// What is looked at below folders; a file that is named is read whatever it is called.
constexpr std::string_view auditedSuffixes = ".sh|.bash|.yaml|.yml|.toml|.py";

/// What was found in all files, each by the severities of its project.
struct AuditRun {
  std::vector<FileId> files;
  std::vector<diag::Diagnostic> findings;
  std::vector<diag::JudgedGate> judged;
  std::vector<audit::MeantClause> clauses;
  std::size_t compared = 0;
  std::vector<FileId> silent; // without anything to judge

  void add(const project::InputFile& input, audit::Auditor& auditor, const Limits& limits) {
    files.push_back(input.file);
    if (input.tooLarge) {
      findings.push_back(*input.tooLarge);
      return;
    }
    diag::Sink sink(limits);
    audit::AuditedFile one = auditor.audit(input.file, sink);
    std::move(one.judged.begin(), one.judged.end(), std::back_inserter(judged));
    std::move(one.clauses.begin(), one.clauses.end(), std::back_inserter(clauses));
    compared += one.compared;
    std::vector<diag::Diagnostic> found = sink.take();
    if (one.judged.empty() && one.compared == 0 && found.empty())
      silent.push_back(input.file);
    for (diag::Diagnostic& diagnostic : found) {
      diagnostic.severity = input.settings->severityOf(diagnostic.code, diagnostic.severity);
      if (diagnostic.severity != diag::Severity::Off)
        findings.push_back(std::move(diagnostic));
    }
  }
};

llvm::Error emitContract(const Invocation& invocation, const SourceManager& sources,
                         const AuditRun& run, const Limits& limits) {
  if (!invocation.has("--emit"))
    return llvm::Error::success();
  const std::string file = invocation.get("--emit");
  if (file.empty())
    return usageError("--emit requires a file name");
  if (auto error = refuseOverwriting(invocation, file))
    return error;
  const std::string text = audit::contractOf(sources, run.clauses, limits);
  if (text.empty())
    return usageError("no gate found that a contract can state; nothing was written");
  return writeFile(file, text);
}

bool holdsContract(const SourceManager& sources, const project::InputFile& input) {
  return sources.get(input.file).name.ends_with(project::contractSuffix);
}

llvm::Expected<double> numberAbove0(const Invocation& invocation, OptionName option) {
  const auto number = parseDecimal(invocation.get(option));
  constexpr double most = 1e9;
  if (!number || *number <= 0 || *number > Rational(most))
    return usageError(fmt::format("invalid value {} for {}; expected a number above 0",
                                  utf8::ticked(invocation.get(option)), option.text()));
  return number->get_d();
}

llvm::Expected<audit::Circumstances> circumstancesOf(const Invocation& invocation) {
  audit::Circumstances out;
  auto noise = numberAbove0(invocation, "--noise");
  if (!noise)
    return noise.takeError();
  out.noise = *noise;
  if (!invocation.has("--horizon"))
    return out;
  auto horizon = numberAbove0(invocation, "--horizon");
  if (!horizon)
    return horizon.takeError();
  out.horizon = *horizon;
  out.isHorizonSaid = true;
  return out;
}

} // namespace

llvm::Expected<int> runAudit(const Invocation& invocation) {
  auto limits = limitsOf(invocation);
  if (!limits)
    return limits.takeError();
  auto circumstances = circumstancesOf(invocation);
  if (!circumstances)
    return circumstances.takeError();
  SourceManager sources;
  project::Inputs inputs(sources, *limits, auditedSuffixes);
  if (auto error = addInputs(inputs, invocation))
    return error;
  audit::Auditor auditor(sources, *limits, *circumstances);
  pipeline::TestedContracts contracts(sources, *limits, {});
  if (invocation.has("--contract")) {
    auto contract = namedContract(contracts, invocation.get("--contract"), "compared");
    if (!contract)
      return contract.takeError();
    auditor.compareWith(*(*contract)->contract);
  }
  AuditRun run;
  run.findings = inputs.settingsFindings();
  for (const project::InputFile& input : inputs.files())
    if (!holdsContract(sources, input)) // a contract's clauses are `tikc check`'s
      run.add(input, auditor, *limits);
  if (invocation.has("--contract") && run.compared == 0)
    return usageError("no setting found that the contract states; nothing was compared");
  if (auto error = emitContract(invocation, sources, run, *limits))
    return error;
  const diag::RenderOptions options = renderOptions(invocation);
  diag::Report report{sources, run.findings, run.files, 0, versionString};
  report.gates = run.judged;
  if (auto error = writeOutput(
          invocation, diag::render(*diag::findFormat(invocation.get("--format")), report, options)))
    return error;
  // Without findings, such a file would look as if it had passed.
  for (FileId file : run.silent)
    if (std::find(invocation.arguments.begin(), invocation.arguments.end(),
                  sources.get(file).name) != invocation.arguments.end())
      fmt::print(stderr, "tikc: {}: found no gate or correction that tikc knows\n",
                 utf8::tickedPath(sources.get(file).name));
  const bool fails =
      std::any_of(run.findings.begin(), run.findings.end(),
                  [&](const auto& diagnostic) { return diagnostic.severity >= options.failOn; });
  return withUnread(fails ? Findings : Clean, inputs);
}

} // namespace tikc::driver
