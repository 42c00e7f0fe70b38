#include "checker/engine/LoadedPlan.h"
#include "data/Paths.h"
#include "driver/CommonOptions.h"
#include "driver/EvidenceFiles.h"
#include "driver/MeasuredPage.h"
#include "measure/Measurement.h"
#include "support/FolderLock.h"
#include "support/KnownFiles.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>

namespace tikc::driver {
namespace {

/// Joined evidence held against a contract, for a page.
llvm::Error writeMergedPage(const Invocation& invocation, const OpenedContract& contract,
                            const measure::Evidence& evidence) {
  const engine::LoadedPlan loaded(contract->plan);
  auto subject = measure::subjectOf(contract->plan, loaded, evidence);
  if (!subject)
    return subject.takeError();
  const std::string stage = evidence.origins.empty() ? "" : evidence.origins.front().stage;
  auto others = measure::othersIn(evidence, measure::EvidenceOrigin::of(*subject, stage));
  if (!others.empty() && !invocation.has("--allow-other"))
    return usageError(others.front() + "; use --allow-other to write the page anyway");
  return writePageOf(invocation, {contract.sources(), *contract}, *subject, evidence,
                     std::move(others));
}

llvm::Error whyNotPaged(const Invocation& invocation) {
  if (isPageAsked(invocation) != invocation.has("--contract"))
    return usageError(invocation.has("--contract") ? "--contract requires --report or --figures"
                                                   : "--report and --figures require --contract");
  if (auto error = refuseOneFileTwice(invocation))
    return error;
  return whyNoPage(invocation);
}

/// Whether a merge adds to a file.
bool isRead(const Invocation& invocation, const std::string& path) {
  auto named = data::filesNamed(invocation.arguments);
  if (!named) { // the reader reports it
    llvm::consumeError(named.takeError());
    return false;
  }
  std::error_code ignored;
  const auto written = std::filesystem::weakly_canonical(path, ignored);
  return std::any_of(named->paths.begin(), named->paths.end(), [&](const std::string& each) {
    return std::filesystem::equivalent(each, path, ignored) ||
           std::filesystem::weakly_canonical(each, ignored) == written;
  });
}

} // namespace

llvm::Expected<int> runMerge(const Invocation& invocation) {
  const std::string path = invocation.get("--output");
  if (invocation.arguments.empty())
    return missingArgument(invocation.command, "EVIDENCE");
  if (path.empty() || path == "-")
    return usageError("missing option --output FILE (usage: " + usage(invocation.command) + ")");
  if (auto error = whyNotPaged(invocation))
    return error;
  std::unique_ptr<const OpenedContract> contract;
  if (isPageAsked(invocation)) {
    auto opened = OpenedContract::open(invocation, invocation.get("--contract"), "measured");
    if (!opened)
      return opened.takeError();
    contract = std::move(*opened);
    // Evidence may be merged into a file that was read; the contract and its parents may not.
    if (known_files::has(path))
      return usageError(fmt::format("refusing to overwrite {}, which the contract consists of",
                                    utf8::tickedPath(path)));
  }
  if (auto error = whyNotKept(path))
    return error;
  // What another merge adds meanwhile to a file that is read and written is not lost. A file that
  // is only written is refused if another process writes it, too.
  EvidenceFile before(path);
  const FolderLock lock(path);
  if (isRead(invocation, path))
    before = EvidenceFile(path);
  auto evidence = readEvidence(invocation.arguments, invocation.has("--allow-other"));
  if (!evidence)
    return evidence.takeError();
  // What cannot be held against its contract is not written either.
  if (contract)
    if (auto error = writeMergedPage(invocation, *contract, *evidence))
      return error;
  if (auto error = before.whyChanged())
    return error;
  std::string text =
      fmt::format("{}: {}\n", utf8::printable(path), measure::summaryOf(*evidence).text());
  if (!evidence->origins.empty())
    for (const std::string& each : measure::othersIn(*evidence, evidence->origins.front()))
      text += utf8::printable(each) + "\n";
  if (auto error = writeEvidence(path, *evidence))
    return error;
  if (auto error = showText(text))
    return error;
  return Clean;
}

} // namespace tikc::driver
