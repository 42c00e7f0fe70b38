#include "driver/ProvenFile.h"

#include "diag/Drawing.h"
#include "pipeline/Merge.h"
#include "project/Inputs.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tikc::driver {
namespace {

/// Errors that are of claims, or those that are not, go to standard error: what is piped on must be
/// the answer alone.
bool showFindings(const SourceManager& sources, std::span<const diag::Diagnostic> findings,
                  bool ofClaims) {
  std::string text;
  for (const diag::Diagnostic& diagnostic : findings)
    if (diagnostic.severity == diag::Severity::Error &&
        diag::isOfClaim(diagnostic.code) == ofClaims)
      text += diag::renderText(sources, diagnostic);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return !text.empty();
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return name.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

llvm::Expected<ProvenFile> proveFile(const Invocation& invocation, const std::string& path) {
  ProvenFile out;
  Limits limits;
  project::Inputs inputs(*out.sources, limits);
  if (invocation.has("--root"))
    if (auto error = inputs.setRoot(invocation.get("--root")))
      return error;
  if (path == "-")
    inputs.addStandardInput("");
  else
    inputs.addPath(path);
  if (auto error = llvm::joinErrors(inputs.takeErrors(), inputs.takeUnread()))
    return error;
  if (inputs.files().empty())
    return usageError(
        fmt::format("tikc.yaml excludes {} with `force-exclude`", utf8::ticked(path)));
  if (inputs.files().size() != 1)
    return usageError(fmt::format("expected one file, found {}", inputs.files().size()));
  const project::InputFile& input = inputs.files().front();
  out.name = out.sources->get(input.file).name;
  std::vector<diag::Diagnostic> findings = inputs.settingsFindings();
  if (input.tooLarge)
    findings.push_back(*input.tooLarge);
  out.isFaulty = showFindings(*out.sources, findings, false);
  if (out.isFaulty)
    return out;
  std::vector<pipeline::CheckedFile> results;
  results.push_back(pipeline::Checker(*out.sources, *input.settings, limits).check(input.file));
  findings = pipeline::mergeFindings(*out.sources, results);
  out.checked = std::move(results.front());
  out.findings = findings;
  out.isFaulty = showFindings(*out.sources, findings, false);
  return out;
}

bool complainOfClaims(const ProvenFile& file) {
  return showFindings(*file.sources, file.findings, true);
}

std::string suggestion(const std::string& wrong, const std::vector<std::string>& names) {
  std::vector<std::string_view> views(names.begin(), names.end());
  if (auto near = nearestName(wrong, views))
    return fmt::format("; did you mean `{}`?", *near);
  return names.empty() ? "; there are none" : fmt::format("; expected {}", joinAlternatives(views));
}

llvm::Error checkClaim(const ProvenFile& file, const std::string& claim) {
  std::vector<std::string> names;
  for (const model::Contract& contract : file.checked.contracts)
    for (const model::Claim& row : contract.claims)
      names.push_back(row.id.text);
  if (has(names, claim))
    return llvm::Error::success();
  return usageError(
      fmt::format("unknown claim {}{}", utf8::ticked(claim), suggestion(claim, names)));
}

llvm::Error checkSlice(const ProvenFile& file, const std::string& slice) {
  std::vector<std::string> names;
  for (const model::Contract& contract : file.checked.contracts) {
    for (const model::Slice& row : contract.slices)
      names.push_back(row.name.text);
    if (!contract.slices.empty())
      names.insert(names.end(), {"other", "all"});
  }
  if (has(names, slice))
    return llvm::Error::success();
  return usageError(
      fmt::format("unknown slice {}{}", utf8::ticked(slice), suggestion(slice, names)));
}

} // namespace tikc::driver
