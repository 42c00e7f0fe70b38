#include "driver/MeasuredPage.h"

#include "explain/Explanation.h"
#include "measure/Measurement.h"
#include "support/Files.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <filesystem>

namespace tikc::driver {
namespace {

namespace fs = std::filesystem;

llvm::Error writeFigures(const Invocation& invocation, const fs::path& folder,
                         const std::vector<page::FigureFile>& figures) {
  if (auto error = makeFolder(folder))
    return error;
  for (const page::FigureFile& each : figures)
    if (auto error = refuseOverwriting(invocation, folder / each.name))
      return error;
  for (const page::FigureFile& each : figures)
    if (auto error = writeFile(folder / each.name, each.svg))
      return error;
  return llvm::Error::success();
}

} // namespace

bool isPageAsked(const Invocation& invocation) {
  return invocation.has("--report") || invocation.has("--figures");
}

llvm::Error whyNoPage(const Invocation& invocation) {
  const std::string report = invocation.get("--report"), figures = invocation.get("--figures");
  std::error_code error;
  if (invocation.has("--report") && (report.empty() || report == "-"))
    return usageError("--report requires a file name; standard output is for --format");
  if (invocation.has("--report") && fs::is_directory(report, error))
    return usageError(fmt::format("invalid value {} for --report; expected a file, found a folder",
                                  utf8::tickedPath(report)));
  if (invocation.has("--figures") && fs::exists(figures, error) &&
      !fs::is_directory(figures, error))
    return usageError(fmt::format("invalid value {} for --figures; expected a folder",
                                  utf8::tickedPath(figures)));
  return refuseOverwriting(invocation, report);
}

llvm::Error writePageFiles(const Invocation& invocation, llvm::function_ref<std::string()> pageOf,
                           llvm::function_ref<std::vector<page::FigureFile>()> figuresOf) {
  if (invocation.has("--report")) {
    const std::string report = invocation.get("--report");
    if (auto error = refuseOverwriting(invocation, report))
      return error;
    if (auto error = writeFile(report, pageOf()))
      return error;
  }
  if (invocation.has("--figures"))
    return writeFigures(invocation, invocation.get("--figures"), figuresOf());
  return llvm::Error::success();
}

llvm::Error writePage(const Invocation& invocation, const PageSubject& subject,
                      const measure::MeasuredContract& judgedContract, page::Provenance provenance,
                      std::vector<page::Lead> leads) {
  if (!isPageAsked(invocation))
    return llvm::Error::success();
  provenance.emplace_back("command", invocation.line);
  const model::Contract& contract = *subject.contract.contract;
  std::vector<explain::Explanation> told;
  if (subject.contract.proof != nullptr)
    told.push_back(explain::tell(subject.sources, subject.contract.name, contract,
                                 *subject.contract.proof, {}, explain::Depth::Proof));
  const page::PageContent content{judgedContract, told, std::move(leads), std::move(provenance)};
  return writePageFiles(
      invocation, [&] { return page::reportPage(content); },
      [&] { return page::figureFiles(content); });
}

llvm::Error writePageOf(const Invocation& invocation, const PageSubject& subject,
                        measure::MeasuredPlan plan, const measure::Evidence& evidence,
                        std::vector<std::string> others, std::vector<page::Lead> leads) {
  plan.isDetailed = true;
  auto measured = measure::measure(plan, engine::LoadedPolicy(plan.plan), evidence);
  if (!measured)
    return measured.takeError();
  auto all = measure::MeasuredContract::of(plan, *measured, measure::rowsOf(plan, *measured, {}),
                                           std::move(others));
  all.observeClaims(*subject.contract.contract, {});
  return writePage(invocation, subject, all,
                   page::provenanceOf(all, subject.contract.name, &evidence), std::move(leads));
}

} // namespace tikc::driver
