#include "diag/report/Report.h"
#include "driver/Against.h"
#include "driver/Commands.h"
#include "driver/CommonOptions.h"
#include "driver/DiffSides.h"
#include "driver/ParallelChecker.h"
#include "driver/Rendering.h"
#include "driver/Rewrite.h"
#include "pipeline/Merge.h"
#include "project/Inputs.h"
#include "support/Diff.h"
#include "support/Files.h"
#include "support/Utf8.h"
#include "tikc/Version.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace tikc::driver {
namespace {

/// What the command line says, read once.
struct CheckOptions {
  const Invocation& invocation; // what is written goes where it says
  diag::RenderOptions render;
  diag::Format format{};
  Limits limits{};
  unsigned jobs = 1;
  bool fixes = false, showsDiff = false, withUnsafe = false;
  bool isAlone = false, hasOutput = false, isAlwaysColored = false;

  llvm::Error write(std::string_view text) const { return writeOutput(invocation, text); }
};

llvm::Expected<CheckOptions> optionsOf(const Invocation& invocation) {
  CheckOptions out{invocation, renderOptions(invocation)};
  out.format = *diag::findFormat(invocation.get("--format"));
  out.showsDiff = invocation.has("--diff");
  out.fixes = invocation.has("--fix") || out.showsDiff;
  out.withUnsafe = invocation.has("--unsafe");
  out.isAlone = invocation.has("--alone");
  out.hasOutput = invocation.has("--output");
  out.isAlwaysColored = invocation.get("--color") == "always";
  if (out.withUnsafe && !out.fixes)
    return usageError("--unsafe requires --fix or --diff");
  if (out.showsDiff && invocation.has("--format"))
    return usageError("--diff cannot be combined with --format");
  if (out.fixes && invocation.has("--against"))
    return usageError("--against cannot be combined with --fix or --diff");
  auto jobs = jobsOf(invocation);
  if (!jobs)
    return jobs.takeError();
  out.jobs = *jobs;
  auto limits = limitsOf(invocation);
  if (!limits)
    return limits.takeError();
  out.limits = *limits;
  return out;
}

/// Takes the findings of a run as they are told: first those of settings. Of a file that is here
/// only since it extends a named one, what does not fail is its own business, wherever it stands;
/// the rest says why it is here.
std::vector<diag::Diagnostic> told(const project::Inputs& inputs, const SourceManager& sources,
                                   pipeline::CheckedFiles& checked,
                                   const diag::RenderOptions& options) {
  for (std::size_t i = 0; i < inputs.files().size(); ++i) {
    const std::string& parent = inputs.files()[i].heirOf;
    if (parent.empty())
      continue;
    std::vector<diag::Diagnostic>& found = checked.results[i].diagnostics;
    std::erase_if(found, [&](const auto& each) { return each.severity < options.failOn; });
    for (diag::Diagnostic& each : found)
      if (each.span.file == checked.results[i].file)
        each.note("checked because it extends " + utf8::ticked(parent));
  }
  std::vector<diag::Diagnostic> out = inputs.settingsFindings();
  for (diag::Diagnostic& each : pipeline::mergeFindings(sources, checked.results))
    out.push_back(std::move(each));
  return out;
}

/// What is to be told of a run.
struct RunOutcome {
  const pipeline::CheckedFiles& checked;
  std::vector<diag::Diagnostic> findings;
  std::size_t heirs = 0;
  std::optional<diag::Fixes> fixes = {};
};

std::size_t countHeirs(const project::Inputs& inputs) {
  const auto& files = inputs.files();
  return static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(),
                    [](const project::InputFile& input) { return !input.heirOf.empty(); }));
}

std::string rendered(const CheckOptions& options, const SourceManager& sources,
                     const RunOutcome& outcome) {
  std::vector<FileId> files;
  std::vector<diag::ClaimVerdict> claims;
  std::map<std::string_view, std::uint64_t> decided;
  for (const auto& result : outcome.checked.results) {
    files.push_back(result.file);
    claims.insert(claims.end(), result.verdicts.begin(), result.verdicts.end());
    for (const auto& [verdict, count] : result.decided)
      decided[verdict] += count;
  }
  const auto& counts = outcome.checked.contracts;
  diag::Report report{
      sources,       outcome.findings,
      files,         std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}),
      versionString, claims};
  report.heirs = outcome.heirs;
  report.recorded = pipeline::countRecorded(sources, outcome.checked.results);
  report.fixes = outcome.fixes;
  report.decided = std::move(decided);
  if (options.format == diag::Format::Sarif && outcome.findings.size() > diag::mostSarifResults)
    fmt::print(stderr, "the report lists the {} most severe of {} findings\n",
               diag::mostSarifResults, outcome.findings.size());
  return diag::render(options.format, report, options.render);
}

bool anyFails(const std::vector<diag::Diagnostic>& findings, const diag::RenderOptions& options) {
  return std::any_of(findings.begin(), findings.end(), [&](const diag::Diagnostic& diagnostic) {
    return diagnostic.severity >= options.failOn;
  });
}

/// What became of the fixes, and what it is told from.
struct Account {
  explicit Account(const pipeline::Fixing& fixing)
      : held(fixing.held()), closed(fixing.closed()), fixes{.fixed = fixing.fixed(),
                                                            .held = held,
                                                            .closed = closed,
                                                            .unsafeLeft = fixing.unsafeLeft(),
                                                            .choicesLeft = fixing.choicesLeft(),
                                                            .revealed = fixing.revealed(),
                                                            .stopped = fixing.stopped()} {}

  std::vector<diag::HeldFix> held;
  std::vector<diag::ClosedFile> closed;
  diag::Fixes fixes;
};

/// What is left that fails, at its place in the files as they are; what is held is told already.
std::vector<diag::Diagnostic> failuresLeft(const pipeline::Fixing& fixing,
                                           std::vector<diag::Diagnostic> findings,
                                           const std::vector<diag::HeldFix>& held,
                                           const diag::RenderOptions& options) {
  std::erase_if(findings, [&](const diag::Diagnostic& diagnostic) {
    return diagnostic.severity < options.failOn ||
           std::any_of(held.begin(), held.end(), [&](const diag::HeldFix& each) {
             return each.code == diagnostic.code && each.span == diagnostic.span;
           });
  });
  for (diag::Diagnostic& finding : findings)
    finding.span = fixing.origin(finding.span);
  return findings;
}

llvm::Expected<int> showFixes(const CheckOptions& options, const SourceManager& sources,
                              const pipeline::Fixing& fixing,
                              const std::vector<diag::Diagnostic>& findings) {
  std::string text;
  for (std::size_t i = 0; i < fixing.files().size(); ++i) {
    const Source& before = sources.get(fixing.original(i));
    text += unifiedDiff(utf8::printable(before.name), before.text,
                        sources.get(fixing.files()[i].file).text);
  }
  if (auto error = options.hasOutput ? options.write(text) : showText(text))
    return error;
  Account account(fixing);
  auto left = failuresLeft(fixing, findings, account.held, options.render);
  for (diag::HeldFix& each : account.held)
    each.span = fixing.origin(each.span);
  account.fixes.left = left;
  account.fixes.written = false;
  if (!options.render.quiet)
    fmt::print(stderr, "{}", diag::renderFixes(sources, account.fixes));
  return anyFails(findings, options.render) || !text.empty() ? Findings : Clean;
}

/// Where standard output takes a text, the findings go to standard error.
llvm::Expected<int> fixFiles(CheckOptions options, SourceManager& sources,
                             const project::Inputs& inputs, const ParallelChecker& checking) {
  for (const project::InputFile& input : inputs.files())
    if (input.standardInput && input.tooLarge)
      return usageError("standard input is too large to fix");
  if (auto error = refuseStreams(inputs, sources, "tikc check --fix -"))
    return error;
  auto check = [&](const std::vector<project::InputFile>& files) { return checking.check(files); };
  pipeline::Fixing fixing(sources, check, inputs.files(), options.withUnsafe);
  fixing.run();
  auto findings = [&] {
    pipeline::CheckedFiles checked = fixing.checked();
    return told(inputs, sources, checked, options.render);
  };
  if (options.showsDiff)
    return showFixes(options, sources, fixing, findings());

  const std::string* piped = nullptr;
  for (const project::InputFile& input : fixing.files())
    if (input.standardInput)
      piped = &sources.get(input.file).text;
  llvm::Error errors = writeFixed(sources, options.limits, fixing);
  if (piped) {
    options.render.color = options.isAlwaysColored;
    errors = llvm::joinErrors(std::move(errors), showText(*piped));
  }
  Account account(fixing);
  RunOutcome outcome{fixing.checked(), findings(), countHeirs(inputs), account.fixes};
  bool tellsFixed = options.format == diag::Format::Text || options.format == diag::Format::Json;
  if (!tellsFixed && !options.render.quiet)
    fmt::print(stderr, "{}", diag::renderFixes(sources, *outcome.fixes));
  std::string text = rendered(options, sources, outcome);
  if (piped && !options.hasOutput)
    fmt::print(stderr, "{}", text);
  else
    errors = llvm::joinErrors(std::move(errors), options.write(text));
  if (errors)
    return errors;
  return anyFails(outcome.findings, options.render) ? Findings : Clean;
}

/// Adds what --against finds of the files that were checked; whether all could be compared.
llvm::Expected<bool> addAgainst(const CheckOptions& options, SourceManager& sources,
                                CheckedRun checked, std::vector<diag::Diagnostic>& findings) {
  const auto& paths = options.invocation.arguments;
  const auto& files = checked.inputs.files();
  SidesRequest request{options.invocation.get("--against"), paths, options.jobs,
                       options.invocation.has("--force-exclude"), options.invocation.get("--root")};
  auto sides = compareSides(sources, options.limits, request, std::move(checked));
  if (!sides)
    return sides.takeError();
  std::vector<diag::Diagnostic> found = againstFindings(sides->compared, options.limits);
  if (!files.empty()) { // a parent that another thread read again is the one that is checked
    std::vector<pipeline::CheckedFile> results(files.size());
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i].file = files[i].file;
    results.back().diagnostics = std::move(found);
    found = pipeline::mergeFindings(sources, results);
  }
  std::move(found.begin(), found.end(), std::back_inserter(findings));
  fmt::print(stderr, "{}", sides->oldErrors);
  for (const changes::NotCompared& each : sides->compared.notCompared)
    fmt::print(stderr, "{}\n", changes::headingOf(each));
  if (std::string why = onlyBasesText(*sides); !why.empty())
    fmt::print(stderr, "{}\n", why);
  return sides->oldErrors.empty();
}

llvm::Expected<int> tellFindings(const CheckOptions& options, SourceManager& sources,
                                 const project::Inputs& inputs, const ParallelChecker& checking) {
  const auto& paths = options.invocation.arguments;
  bool isAgainst = options.invocation.has("--against");
  if (isAgainst && std::find(paths.begin(), paths.end(), "-") != paths.end())
    return usageError("--against cannot be combined with standard input");
  CheckedRun run{inputs, {}};
  ParallelChecker::Look keep;
  if (isAgainst) {
    run.files.resize(inputs.files().size());
    for (std::size_t i = 0; i < run.files.size(); ++i) {
      const project::InputFile& input = inputs.files()[i];
      run.files[i].file = input.file;
      if (input.tooLarge)
        run.files[i].diagnostics.push_back(*input.tooLarge);
    }
    keep = [&](std::size_t i, const pipeline::CheckedFile& file) { run.files[i] = file; };
  }
  pipeline::CheckedFiles checked = checking.check(inputs.files(), keep);
  RunOutcome outcome{checked, told(inputs, sources, checked, options.render), countHeirs(inputs)};
  auto isCompared = isAgainst ? addAgainst(options, sources, std::move(run), outcome.findings)
                              : llvm::Expected<bool>(true);
  if (!isCompared)
    return isCompared.takeError();
  if (auto error = options.write(rendered(options, sources, outcome)))
    return error;
  if (!*isCompared)
    return WrongUse;
  return anyFails(outcome.findings, options.render) ? Findings : Clean;
}

} // namespace

llvm::Expected<int> runCheck(const Invocation& invocation) {
  auto options = optionsOf(invocation);
  if (!options)
    return options.takeError();
  if (auto error = refuseOtherFiles(invocation))
    return error;
  SourceManager sources;
  project::Inputs inputs(sources, options->limits);
  if (invocation.has("--no-baseline"))
    inputs.ignoreBaselines();
  // Of a revision the comparison tells what is gone, and what never was.
  auto against = diffOperand(invocation.get("--against"));
  if (!against)
    return against.takeError();
  auto lacking = against->isRevisionAlone() ? Lacking::MayBeGone : Lacking::IsFault;
  if (auto error = addInputs(inputs, invocation, lacking))
    return error;
  if (!options->isAlone)
    inputs.addHeirs(options->jobs);
  // Who reads of each claim: programs, and people where there is one contract to read of.
  bool tellsClaims = options->format == diag::Format::Json ||
                     (options->format == diag::Format::Text && inputs.files().size() == 1);
  ParallelChecker checking(sources, options->limits, options->jobs, !tellsClaims);
  return withUnread(options->fixes ? fixFiles(*options, sources, inputs, checking)
                                   : tellFindings(*options, sources, inputs, checking),
                    inputs);
}

} // namespace tikc::driver
