#include "Require.h"
#include "diag/report/Report.h"
#include "pipeline/Pipeline.h"

#include <algorithm>
#include <cstdint>
#include <string>

// The whole way from bytes to findings and their renderings, as `tikc check` goes it.
namespace {

using namespace tikc;

void checkFix(const SourceManager& sources, const diag::Fix& fix) {
  require(!fix.edits.empty(), "a fix has edits");
  std::vector<diag::Edit> edits = fix.edits;
  std::sort(edits.begin(), edits.end());
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const Span& span = edits[i].span;
    require(span.begin <= span.end && span.end <= sources.get(span.file).text.size(),
            "an edit lies in its file");
    require(i == 0 || edits[i - 1].span.end <= span.begin, "edits do not overlap");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SourceManager sources;
  FileId file =
      sources.add("fuzz.tikc.yaml", {}, std::string(reinterpret_cast<const char*>(data), size));
  project::Settings settings;
  settings.root = "/nonexistent";
  auto result = pipeline::Checker(sources, settings).check(file);
  for (const diag::Diagnostic& found : result.diagnostics) {
    require(found.span.end <= sources.get(found.span.file).text.size(), "a span lies in its file");
    require(!found.message.empty(), "a finding says something");
    for (const diag::Fix& fix : found.fixes)
      checkFix(sources, fix);
  }
  FileId files[] = {file};
  diag::Report report{sources, result.diagnostics, files, result.contracts.size(), "fuzz"};
  for (diag::Format format : {diag::Format::Text, diag::Format::Sarif, diag::Format::Rdjson})
    require(!diag::render(format, report, {}).empty(), "a rendering is not empty");

  bool clean = std::none_of(
      result.diagnostics.begin(), result.diagnostics.end(),
      [](const diag::Diagnostic& found) { return found.severity == diag::Severity::Error; });
  for (const model::Contract& contract : result.contracts) {
    std::string printed = model::print(contract);
    if (!clean)
      continue;
    SourceManager again;
    FileId copy = again.add("printed.tikc.yaml", {}, printed);
    auto reread = pipeline::Checker(again, settings).check(copy);
    require(reread.contracts.size() == 1, "a clean contract prints as one contract");
    require(model::print(reread.contracts[0]) == printed, "a clean contract reads back the same");
  }
  return 0;
}
