#include "driver/ExplainFile.h"

#include "driver/ProvenFile.h"
#include "story/Evidence.h"
#include "story/Formats.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tikc::driver {
namespace {

using story::Story;

std::vector<Story> storiesOf(const ProvenFile& file, const story::Choice& choice,
                             story::Depth depth, const std::optional<story::Observed>& observed) {
  std::vector<Story> out;
  static const bounds::Proof nothing;
  for (std::size_t i = 0; i < file.checked.contracts.size(); ++i) {
    const auto& proof = file.checked.proofs[i];
    Story told = story::tell(*file.sources, file.name, file.checked.contracts[i],
                             proof ? *proof : nothing, choice, depth);
    bool isChosen = (choice.claim.empty() && choice.slice.empty()) || !told.chapters.empty();
    if (isChosen && observed)
      story::weigh(told, file.checked.contracts[i], proof ? *proof : nothing, *observed);
    if (isChosen)
      out.push_back(std::move(told));
  }
  return out;
}

story::Depth depthOf(const std::string& form) {
  if (form == "html")
    return story::Depth::Curves;
  return form == "json" || form == "markdown" ? story::Depth::Reach : story::Depth::Proof;
}

std::string storiesText(const Invocation& invocation, const std::vector<Story>& stories) {
  std::string form = invocation.get("--format");
  if (form == "markdown")
    return story::markdownPage(stories,
                               std::filesystem::path(invocation.get("--output")).parent_path());
  if (form == "json")
    return story::json(stories);
  if (form == "dot")
    return story::dotGraph(stories);
  if (form == "svg")
    return story::svgImage(stories);
  return form == "html" ? story::htmlPage(stories) : story::text(stories);
}

llvm::Error readEvidence(const Invocation& invocation, std::optional<story::Observed>& out) {
  if (!invocation.has("--evidence"))
    return llvm::Error::success();
  std::string form = invocation.get("--format");
  if (form != "text" && form != "markdown" && form != "json")
    return usageError(fmt::format("--evidence is told as text, markdown or json, not as {}", form));
  auto read = story::readObserved(invocation.get("--evidence"));
  if (!read)
    return read.takeError();
  out = *read;
  return llvm::Error::success();
}

bool isAllProved(const std::vector<Story>& stories) {
  return std::all_of(stories.begin(), stories.end(), [](const Story& told) {
    return std::all_of(
        told.chapters.begin(), told.chapters.end(),
        [](const story::Chapter& chapter) { return chapter.verdict == bounds::Verdict::Proved; });
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
  story::Choice choice{invocation.get("--claim"), invocation.get("--slice")};
  if (auto error = checkClaim(*file, choice.claim))
    return error;
  if (auto error = checkSlice(*file, choice.slice))
    return error;
  std::optional<story::Observed> observed;
  if (auto error = readEvidence(invocation, observed))
    return error;
  std::vector<Story> stories =
      storiesOf(*file, choice, depthOf(invocation.get("--format")), observed);
  if (stories.empty())
    return usageError(choice.claim.empty()
                          ? fmt::format("nothing is claimed on {}", utf8::ticked(choice.slice))
                          : fmt::format("{} claims nothing on {}", utf8::ticked(choice.claim),
                                        utf8::ticked(choice.slice)));
  if (auto error = writeOutput(invocation, storiesText(invocation, stories)))
    return error;
  return isAllProved(stories) ? Clean : Findings;
}

} // namespace tikc::driver
