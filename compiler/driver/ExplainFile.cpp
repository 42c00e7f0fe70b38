#include "driver/ExplainFile.h"

#include "driver/ProvenFile.h"
#include "explain/Evidence.h"
#include "explain/Formats.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tikc::driver {
namespace {

using explain::Explanation;

std::vector<Explanation> explanationsOf(const ProvenFile& file, const explain::Choice& choice,
                                        explain::Depth depth,
                                        const std::optional<explain::Observations>& observed) {
  std::vector<Explanation> out;
  static const bounds::Proof nothing;
  for (std::size_t i = 0; i < file.checked.contracts.size(); ++i) {
    const auto& proof = file.checked.proofs[i];
    Explanation explanation = explain::tell(*file.sources, file.name, file.checked.contracts[i],
                                            proof ? *proof : nothing, choice, depth);
    bool isChosen = (choice.claim.empty() && choice.slice.empty()) || !explanation.chapters.empty();
    if (isChosen && observed)
      explain::weigh(explanation, file.checked.contracts[i], proof ? *proof : nothing, *observed);
    if (isChosen)
      out.push_back(std::move(explanation));
  }
  return out;
}

explain::Depth depthOf(const std::string& form) {
  if (form == "html")
    return explain::Depth::Curves;
  return form == "json" || form == "markdown" ? explain::Depth::Reach : explain::Depth::Proof;
}

std::string explanationsText(const Invocation& invocation,
                             const std::vector<Explanation>& explanations) {
  std::string form = invocation.get("--format");
  if (form == "markdown")
    return explain::markdownPage(explanations,
                                 std::filesystem::path(invocation.get("--output")).parent_path());
  if (form == "json")
    return explain::json(explanations);
  if (form == "dot")
    return explain::dotGraph(explanations);
  if (form == "svg")
    return explain::svgImage(explanations);
  return form == "html" ? explain::htmlPage(explanations) : explain::text(explanations);
}

llvm::Error readEvidence(const Invocation& invocation, std::optional<explain::Observations>& out) {
  if (!invocation.has("--evidence"))
    return llvm::Error::success();
  std::string form = invocation.get("--format");
  if (form != "text" && form != "markdown" && form != "json")
    return usageError(fmt::format(
        "--evidence cannot be combined with --format={}; expected text, markdown or json", form));
  auto read = explain::readObserved(invocation.get("--evidence"));
  if (!read)
    return read.takeError();
  out = *read;
  return llvm::Error::success();
}

bool isAllProved(const std::vector<Explanation>& explanations) {
  return std::all_of(explanations.begin(), explanations.end(), [](const Explanation& explanation) {
    return std::all_of(
        explanation.chapters.begin(), explanation.chapters.end(),
        [](const explain::Chapter& chapter) { return chapter.verdict == bounds::Verdict::Proved; });
  });
}

} // namespace

bool namesFile(const std::string& word) {
  std::error_code ignored;
  return word == "-" || word.find_first_of("./") != std::string::npos ||
         std::filesystem::exists(word, ignored);
}

llvm::Expected<int> explainFile(const Invocation& invocation) {
  auto file = proveFile(invocation, invocation.arguments.front());
  if (!file)
    return file.takeError();
  if (file->isFaulty)
    return Findings;
  explain::Choice choice{invocation.get("--claim"), invocation.get("--slice")};
  if (auto error = checkClaim(*file, choice.claim))
    return error;
  if (auto error = checkSlice(*file, choice.slice))
    return error;
  std::optional<explain::Observations> observed;
  if (auto error = readEvidence(invocation, observed))
    return error;
  std::vector<Explanation> explanations =
      explanationsOf(*file, choice, depthOf(invocation.get("--format")), observed);
  if (explanations.empty())
    return usageError(choice.claim.empty()
                          ? fmt::format("no claim covers the slice {}", utf8::ticked(choice.slice))
                          : fmt::format("claim {} does not cover the slice {}",
                                        utf8::ticked(choice.claim), utf8::ticked(choice.slice)));
  if (auto error = writeOutput(invocation, explanationsText(invocation, explanations)))
    return error;
  return isAllProved(explanations) ? Clean : Findings;
}

} // namespace tikc::driver
