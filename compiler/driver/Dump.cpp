#include "driver/CommonOptions.h"
#include "pipeline/Merge.h"
#include "pipeline/Pipeline.h"
#include "project/Inputs.h"
#include "support/Files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tikc::driver {

llvm::Expected<int> runDump(const Invocation& invocation) {
  Limits limits;
  SourceManager sources;
  project::Inputs inputs(sources, limits);
  if (invocation.has("--root"))
    if (auto error = inputs.setRoot(invocation.get("--root")))
      return error;
  if (invocation.arguments.front() == "-")
    inputs.addStandardInput("");
  else
    inputs.addPath(invocation.arguments.front());
  if (auto error = llvm::joinErrors(inputs.takeErrors(), inputs.takeUnread()))
    return error;
  if (inputs.files().size() != 1)
    return usageError(fmt::format("expected one file, found {}", inputs.files().size()));

  const project::InputFile& input = inputs.files().front();
  if (input.tooLarge || !inputs.settingsFindings().empty()) {
    std::vector<diag::Diagnostic> findings = inputs.settingsFindings();
    if (input.tooLarge)
      findings.push_back(*input.tooLarge);
    if (complainOfErrors(sources, findings))
      return Findings;
  }
  pipeline::Checker checker(sources, *input.settings, limits);
  std::string text;
  if (invocation.get("--stage") == "tree") {
    text = checker.dumpTree(input.file);
  } else {
    std::vector<pipeline::CheckedFile> results;
    results.push_back(checker.check(input.file));
    if (complainOfErrors(sources, pipeline::mergeFindings(sources, results)))
      return Findings;
    std::vector<std::string> parts;
    if (invocation.get("--stage") == "plan")
      for (const plan::Plan& plan : pipeline::plansOf(results.front()))
        parts.push_back(printableLines(plan::print(plan)));
    else
      for (const model::Contract& contract : results.front().contracts)
        parts.push_back(model::print(contract));
    text = fmt::format("{}", fmt::join(parts, "---\n"));
  }
  if (auto error = showText(text))
    return error;
  return Clean;
}

} // namespace tikc::driver
