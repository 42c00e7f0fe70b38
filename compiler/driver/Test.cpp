#include "driver/CommonOptions.h"
#include "driver/Rendering.h"
#include "fixture/Generate.h"
#include "fixture/Running.h"
#include "pipeline/TestedContracts.h"
#include "support/Utf8.h"
#include "tikc/Version.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::driver {
namespace {

namespace fs = std::filesystem;

/// The current folder, for what was read from a pipe.
fs::path folderOfTests(const Source& source) {
  return source.path.empty() ? fs::path(".") : source.path.parent_path();
}

/// Runs files of tests, and keeps what became of them.
class TestRun {
public:
  TestRun(SourceManager& sources, const Limits& limits, const std::string& root)
      : sources_(sources), limits_(limits), expressions_(sources, limits),
        contracts_(sources, limits, root) {}

  void run(const project::InputFile& input) {
    files_.push_back(input.file);
    if (input.tooLarge) {
      findings_.push_back(*input.tooLarge);
      return;
    }
    fixture::FileRun ran = fixture::runTests(
        sources_, input.file, limits_, expressions_,
        [&](const model::Text& reference) { return subjectOf(reference); },
        [&](const fixture::ContractRun& one) { count(one); });
    std::move(ran.findings.begin(), ran.findings.end(), std::back_inserter(findings_));
  }

  const std::vector<diag::Diagnostic>& findings() const { return findings_; }
  const std::vector<FileId>& files() const { return files_; }
  const std::vector<diag::RanTest>& tests() const { return tests_; }

  /// In the order of the contracts' names.
  std::vector<diag::CoveredRules> covered() const {
    std::vector<diag::CoveredRules> out;
    for (const auto& [contract, row] : coverage_) {
      fixture::Coverage::Tally tally = row.second.tally(*row.first.plan);
      out.push_back({contract->name.value, tally.all, tally.met, std::move(tally.missed)});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.contract < b.contract; });
    return out;
  }

  std::string summary() const {
    std::string out;
    for (const diag::CoveredRules& row : covered()) {
      out += fmt::format("{}: tests cover {} of {} starts, steps and ends\n",
                         utf8::printable(row.contract), row.met, row.all);
      if (!row.missed.empty())
        out += fmt::format("  not tested: {}\n", fmt::join(row.missed, ", "));
    }
    return out + fmt::format("{} test{} in {} file{}: {}\n", tests_.size(),
                             tests_.size() == 1 ? "" : "s", files_.size(),
                             files_.size() == 1 ? "" : "s",
                             failed_ == 0 && findings_.empty()
                                 ? "all pass"
                                 : fmt::format("{} fail{}", failed_, failed_ == 1 ? "s" : ""));
  }

  bool isCovered(std::uint32_t percent) const {
    const auto rows = covered();
    return std::all_of(rows.begin(), rows.end(), [&](const diag::CoveredRules& row) {
      return row.met * 100 >= row.all * percent;
    });
  }

private:
  llvm::Expected<fixture::TestedPolicy> subjectOf(const model::Text& reference) {
    auto tested =
        contracts_.find(folderOfTests(sources_.get(reference.span.file)), reference.value);
    if (!tested)
      return tested.takeError();
    return fixture::TestedPolicy{(*tested)->contract, &(*tested)->plan};
  }

  void count(const fixture::ContractRun& ran) {
    for (std::size_t i = 0; i < ran.tests.size(); ++i) {
      tests_.push_back({ran.tests[i].name.text, ran.tests[i].span, ran.passed[i]});
      failed_ += !ran.passed[i];
    }
    auto& [subject, all] = coverage_[ran.subject.contract];
    subject = ran.subject;
    all.started.insert(ran.coverage.started.begin(), ran.coverage.started.end());
    all.stepped.insert(ran.coverage.stepped.begin(), ran.coverage.stepped.end());
    all.ended.insert(ran.coverage.ended.begin(), ran.coverage.ended.end());
  }

  SourceManager& sources_;
  const Limits& limits_;
  expr::ExprParser expressions_;
  pipeline::TestedContracts contracts_;
  std::vector<FileId> files_;
  std::vector<diag::Diagnostic> findings_;
  std::map<const model::Contract*, std::pair<fixture::TestedPolicy, fixture::Coverage>> coverage_;
  std::vector<diag::RanTest> tests_;
  std::size_t failed_ = 0;
};

llvm::Expected<int> generate(const Invocation& invocation) {
  if (invocation.arguments.size() != 1)
    return usageError("--generate requires one contract, FILE or FILE#NAME");
  const std::string& reference = invocation.arguments.front();
  auto opened = OpenedContract::open(invocation, reference, "tested");
  if (!opened)
    return opened.takeError();
  const pipeline::TestedContract& tested = ***opened;
  const fs::path output = invocation.get("--output");
  const fs::path folder = output.parent_path();
  std::error_code error;
  // What is there may have been written by hand.
  if (!invocation.has("--force") &&
      fs::symlink_status(output, error).type() == fs::file_type::regular)
    return usageError(fmt::format("{} already exists; use --force to overwrite it",
                                  utf8::tickedPath(output.native())));
  fs::path path = fs::proximate(reference, folder.empty() ? "." : folder, error);
  std::string text = fixture::generated(tested.plan, *tested.contract, path.string());
  const std::string name = utf8::tickedPath(reference);
  if (text.empty())
    return usageError(
        tested.plan.rules.empty()
            ? fmt::format("{} has no rules to test", name)
            : fmt::format("found no way to start a rule of {}; `tikc check` shows why", name));
  if (auto fault = writeOutput(invocation, text))
    return fault;
  return Clean;
}

std::string testReport(const Invocation& invocation, const SourceManager& sources,
                       const TestRun& run) {
  const diag::RenderOptions options = renderOptions(invocation);
  diag::Format format = *diag::findFormat(invocation.get("--format"));
  if (format != diag::Format::Text) {
    diag::Report report{sources, run.findings(), run.files(), 0, versionString};
    report.tests = run.tests();
    const std::vector<diag::CoveredRules> covered = run.covered();
    report.covered = covered;
    return diag::render(format, report, options);
  }
  std::string out;
  for (const diag::Diagnostic& diagnostic : run.findings())
    out += diag::renderText(sources, diagnostic, options) + "\n";
  return options.quiet ? out : out + run.summary();
}

} // namespace

llvm::Expected<int> runTest(const Invocation& invocation) {
  if (invocation.has("--generate"))
    return generate(invocation);
  auto percent = parseNumber(invocation.get("--fail-under"));
  if (!percent || *percent > 100)
    return usageError(
        fmt::format("invalid value {} for --fail-under; expected a number from 0 to 100",
                    utf8::ticked(invocation.get("--fail-under"))));
  SourceManager sources;
  const Limits limits;
  project::Inputs inputs(sources, limits, fixture::fixtureSuffix);
  if (auto error = addInputs(inputs, invocation))
    return error;
  TestRun run(sources, limits, invocation.get("--root"));
  for (const project::InputFile& input : inputs.files())
    run.run(input);
  if (auto error = writeOutput(invocation, testReport(invocation, sources, run)))
    return error;
  if (run.tests().empty() && run.findings().empty())
    return usageError("no tests found");
  const bool isCovered = run.isCovered(*percent);
  if (!isCovered)
    fmt::print(stderr,
               "tikc: the tests cover less than {}% of what the rules can do (--fail-under)\n",
               *percent);
  const bool isClean = run.findings().empty() && isCovered;
  return withUnread(isClean ? Clean : Findings, inputs);
}

} // namespace tikc::driver
