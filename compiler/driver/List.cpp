#include "driver/CommonOptions.h"
#include "driver/Listing.h"
#include "driver/ParallelChecker.h"
#include "pipeline/Merge.h"

#include <algorithm>

namespace tikc::driver {

llvm::Expected<int> runList(const Invocation& invocation) {
  auto jobs = jobsOf(invocation);
  if (!jobs)
    return jobs.takeError();
  Limits limits;
  SourceManager sources;
  project::Inputs inputs(sources, limits);
  inputs.ignoreBaselines();
  if (auto error = addInputs(inputs, invocation))
    return error;
  std::vector<std::vector<ListedContract>> byFile(inputs.files().size());
  auto look = [&](std::size_t i, const pipeline::CheckedFile& checked) {
    byFile[i] = listedOf(sources.get(checked.file).name, checked);
  };
  pipeline::CheckedFiles checked =
      ParallelChecker(sources, limits, *jobs, true).check(inputs.files(), look);
  std::vector<diag::Diagnostic> findings = inputs.settingsFindings();
  for (diag::Diagnostic& each : pipeline::mergeFindings(sources, checked.results))
    findings.push_back(std::move(each));
  // What became of claims is in the list, and what settings make of the rest is for `check`.
  std::erase_if(findings, [](const auto& each) { return !diag::isFaultOfText(each); });
  bool isFaulty = complainOfErrors(sources, findings);
  std::vector<ListedContract> all;
  for (std::vector<ListedContract>& each : byFile)
    std::move(each.begin(), each.end(), std::back_inserter(all));
  if (auto error = writeOutput(invocation, invocation.get("--format") == "json" ? listJson(all)
                                                                                : listText(all)))
    return error;
  return withUnread(isFaulty ? Findings : Clean, inputs);
}

} // namespace tikc::driver
