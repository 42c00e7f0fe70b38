#include "driver/MeasuredAgainst.h"

#include "driver/EvidenceFiles.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace tikc::driver {
namespace {

llvm::Error ofAgainst(llvm::Error error) {
  return usageError(fmt::format("--against: {}", llvm::toString(std::move(error))));
}

} // namespace

llvm::Expected<std::unique_ptr<const MeasuredAgainst>>
MeasuredAgainst::of(const MeasureRequest& request, const measure::MeasuredPlan& subject) {
  const std::vector<std::string> paths = request.invocation.all("--against");
  if (paths.empty())
    return nullptr;
  const std::string form = request.invocation.get("--format");
  if ((form == "csv" || form == "junit") && !isPageAsked(request.invocation))
    return usageError(fmt::format("--against cannot be combined with --format={}", form));
  auto isEvidence = areEvidence(paths);
  if (!isEvidence)
    return ofAgainst(isEvidence.takeError());
  for (const std::string& each : paths)
    if (std::error_code fault; !*isEvidence && !std::filesystem::exists(each, fault))
      return usageError(fmt::format("--against: cannot read {}: {}", utf8::tickedPath(each),
                                    std::generic_category().message(ENOENT)));
  if (!*isEvidence)
    return usageError(fmt::format("--against requires evidence, which `tikc measure --evidence` "
                                  "writes; {} has none",
                                  utf8::tickedPath(paths.front())));
  auto evidence = readEvidence(paths, request.invocation.has("--allow-other"));
  if (!evidence)
    return ofAgainst(evidence.takeError());
  // Both are judged in the same rounds.
  if (auto error = measure::whyNotJudged(evidence->shape, subject))
    return ofAgainst(std::move(error));
  auto measured = measure::measure(subject, engine::LoadedPolicy(subject.plan), *evidence);
  if (!measured)
    return ofAgainst(measured.takeError());
  std::unique_ptr<MeasuredAgainst> out(new MeasuredAgainst(subject, std::move(*measured)));
  // It may be of another build or stage, which is why one compares them.
  out->contract_.emplace(measure::MeasuredContract::of(
      out->subject_, out->measured_,
      measure::rowsOf(out->subject_, out->measured_, request.clauses),
      measure::othersIn(*evidence, measure::EvidenceOrigin::of(out->subject_, request.stage())),
      !request.clauses.empty()));
  out->contract_->observeClaims(request.contract, request.clauses);
  out->name_ = fmt::format("{}", fmt::join(paths, ", "));
  return out;
}

} // namespace tikc::driver
