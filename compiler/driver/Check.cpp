#include "diag/Rendering.h"
#include "driver/Commands.h"
#include "driver/Inputs.h"
#include "driver/LimitNames.h"
#include "driver/Merge.h"
#include "driver/Workers.h"
#include "pipeline/Pipeline.h"
#include "support/Files.h"
#include "support/Names.h"
#include "support/Utf8.h"
#include "tikc/Version.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace tikc::driver {
namespace {

std::optional<std::uint32_t> parseNumber(std::string_view text) {
  std::uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

llvm::Expected<unsigned> jobsOf(const Invocation& invocation) {
  if (!invocation.has("--jobs"))
    return std::max(1u, std::thread::hardware_concurrency());
  std::string text = invocation.get("--jobs");
  auto jobs = parseNumber(text);
  if (!jobs || *jobs < 1 || *jobs > 1024)
    return usageError(
        fmt::format("--jobs is a number from 1 to 1024, found {}", utf8::ticked(text)));
  return *jobs;
}

llvm::Error lowerLimit(Limits& limits, std::string_view setting) {
  struct Row {
    std::string_view name;
    std::uint32_t Limits::*member;
  };
#define TIKC_LIMIT_ROW(member, name) {name, &Limits::member},
  static constexpr Row rows[] = {TIKC_LIMITS(TIKC_LIMIT_ROW)};
  auto equals = std::min(setting.find('='), setting.size());
  std::string_view name = setting.substr(0, equals);
  auto value = parseNumber(setting.substr(std::min(equals + 1, setting.size())));
  std::vector<std::string_view> names;
  for (const Row& row : rows) {
    names.push_back(row.name);
    if (row.name != name)
      continue;
    if (!value || *value > limits.*row.member)
      return usageError(
          fmt::format("--limit {}: write a number up to {}", row.name, limits.*row.member));
    limits.*row.member = *value;
    return llvm::Error::success();
  }
  return usageError(fmt::format("there is no limit {}; write one of {}", utf8::ticked(name),
                                fmt::join(names, ", ")));
}

llvm::Expected<Limits> limitsOf(const Invocation& invocation) {
  Limits limits;
  for (const std::string& setting : invocation.all("--limit"))
    if (auto error = lowerLimit(limits, setting))
      return error;
  return limits;
}

bool writesTerminal(const Invocation& invocation) {
  return !invocation.has("--output") && ::isatty(STDOUT_FILENO) == 1;
}

bool wantsColor(const Invocation& invocation) {
  std::string when = invocation.get("--color");
  if (when != "auto")
    return when == "always";
  const char* off = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return writesTerminal(invocation) && !(off && *off) &&
         !(terminal && std::string_view(terminal) == "dumb");
}

/// The time that a JUnit report states; reproducible builds set their own.
std::int64_t reportTime() {
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH"))
    if (auto seconds = parseNumber(fixed))
      return *seconds;
  return std::time(nullptr);
}

diag::RenderOptions renderOptions(const Invocation& invocation) {
  diag::RenderOptions options;
  options.color = wantsColor(invocation);
  options.quiet = invocation.has("--quiet");
  options.failOn = diag::findSeverity(invocation.get("--fail-on")).value_or(diag::Severity::Error);
  options.time = reportTime();
  winsize size{};
  if (writesTerminal(invocation) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
      size.ws_col >= 40)
    options.width = size.ws_col;
  return options;
}

struct Outcome {
  std::vector<pipeline::CheckedFile> results;
  std::atomic<std::uint64_t> contracts = 0;
};

void checkAll(SourceManager& sources, const std::vector<Input>& files, const Limits& limits,
              unsigned jobs, Outcome& out) {
  out.results.resize(files.size());
  runParallel(files.size(), jobs, [&] {
    // Shared, since std::function wants to copy what it calls.
    auto checkers = std::make_shared<std::map<const pipeline::Settings*, pipeline::Checker>>();
    return [&, checkers](std::size_t i) {
      const Input& input = files[i];
      pipeline::CheckedFile& result = out.results[i];
      result.file = input.file;
      if (input.tooLarge) {
        result.diagnostics.push_back(*input.tooLarge);
        return;
      }
      result = checkers->try_emplace(input.settings, sources, *input.settings, limits)
                   .first->second.check(input.file);
      // Only their number is told; a thousand models are better gone while the threads are at it.
      out.contracts += result.contracts.size();
      result.contracts = {};
      result.proofs = {};
    };
  });
}

llvm::Error addInputs(Inputs& inputs, const Invocation& invocation) {
  if (invocation.has("--root"))
    if (auto error = inputs.setRoot(invocation.get("--root")))
      return error;
  bool fromStandardInput = false;
  for (const std::string& path : invocation.arguments) {
    if (path == "-" && !fromStandardInput)
      inputs.addStandardInput(invocation.get("--stdin-filename"));
    else if (path != "-")
      inputs.addPath(path);
    fromStandardInput |= path == "-";
  }
  if (invocation.has("--stdin-filename") && !fromStandardInput)
    return usageError(
        "--stdin-filename names standard input, which is not checked: add the path `-`");
  if (invocation.arguments.empty())
    inputs.addPath(".");
  return inputs.takeErrors();
}

} // namespace

llvm::Expected<int> runCheck(const Invocation& invocation) {
  auto jobs = jobsOf(invocation);
  if (!jobs)
    return jobs.takeError();
  auto limits = limitsOf(invocation);
  if (!limits)
    return limits.takeError();
  SourceManager sources;
  Inputs inputs(sources, *limits);
  if (auto error = addInputs(inputs, invocation))
    return error;

  Outcome outcome;
  checkAll(sources, inputs.files(), *limits, *jobs, outcome);
  std::vector<diag::Diagnostic> findings = inputs.settingsFindings();
  for (diag::Diagnostic& found : mergeFindings(sources, outcome.results))
    findings.push_back(std::move(found));
  std::vector<FileId> files;
  std::vector<diag::ClaimVerdict> claims;
  for (const auto& result : outcome.results) {
    files.push_back(result.file);
    claims.insert(claims.end(), result.verdicts.begin(), result.verdicts.end());
  }

  diag::RenderOptions options = renderOptions(invocation);
  auto format = *diag::findFormat(invocation.get("--format"));
  std::string text = diag::render(
      format, {sources, findings, files, outcome.contracts, versionString, claims}, options);
  if (auto error = writeOutput(invocation, text))
    return error;
  bool failed = std::any_of(findings.begin(), findings.end(), [&](const diag::Diagnostic& found) {
    return found.severity >= options.failOn;
  });
  return failed ? Findings : Clean;
}

} // namespace tikc::driver
