#include "library/Document.h"

#include "checker/emit/Emit.h"
#include "pipeline/CheckedFiles.h"
#include "pipeline/Merge.h"
#include "support/Utf8.h"
#include "tikc/Version.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <span>

namespace tikc::library {

tikc_status Document::readPath(const std::string& path) {
  // Looking for the files of a folder may take for ever.
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    message_ = utf8::tickedPath(path) + " is a folder; expected a file";
    return TIKC_FILE;
  }
  return read([&](project::Inputs& inputs) { inputs.addPath(path); });
}

tikc_status Document::readText(std::string_view text, const std::string& name) {
  return read([&](project::Inputs& inputs) { inputs.addGivenText(text, name); });
}

/// A fault is told as well as its place, which a status could not.
template <class Add> tikc_status Document::read(Add&& add) {
  try {
    const Limits limits;
    project::Inputs inputs(sources_, limits);
    add(inputs);
    if (auto errors = llvm::joinErrors(inputs.takeErrors(), inputs.takeUnread()))
      message_ = llvm::toString(std::move(errors));
    else if (inputs.files().empty())
      message_ = "tikc.yaml excludes the file with `force-exclude`";
    else
      check(inputs, limits);
    return message_.empty() ? TIKC_OK : TIKC_FILE;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& fault) {
    message_ = fmt::format("internal fault: {}", fault.what());
    findings_.clear();
    claims_.clear();
    contracts_.clear();
    return TIKC_FAULT;
  }
}

void Document::check(const project::Inputs& inputs, const Limits& limits) {
  const project::InputFile& input = inputs.files().front();
  file_ = input.file;
  std::vector<pipeline::CheckedFile> results(1);
  pipeline::CheckedFile& checked = results.front();
  checked.file = file_;
  if (input.tooLarge)
    checked.diagnostics.push_back(*input.tooLarge);
  else
    checked = pipeline::Checker(sources_, *input.settings, limits).check(file_);
  findings_ = inputs.settingsFindings();
  for (diag::Diagnostic& each : pipeline::mergeFindings(sources_, results))
    findings_.push_back(std::move(each));
  recorded_ = pipeline::countRecorded(sources_, results);
  takeClaims(checked.verdicts);
  takeContracts(checked);
}

void Document::takeClaims(const std::vector<diag::ClaimVerdict>& verdicts) {
  claims_.reserve(verdicts.size()); // their slices are pointed to
  for (const diag::ClaimVerdict& each : verdicts) {
    Claim& claim = claims_.emplace_back(Claim{each, {}});
    for (const std::string& slice : claim.verdict.slices)
      claim.slices.push_back(slice.c_str());
  }
}

/// As `tikc emit` refuses: a file with an error says nothing that could be relied on.
std::string Document::refusalOf(const pipeline::CheckedFile& checked) const {
  const diag::Diagnostic* first = nullptr;
  std::size_t errors = 0;
  for (const diag::Diagnostic& each : findings_)
    if (each.severity == diag::Severity::Error && ++errors == 1)
      first = &each;
  if (!first)
    return pipeline::isFaulty(checked) ? "the file has errors that its baseline ignores" : "";
  const tikc_place at = place(first->span);
  std::string rest = errors == 1 ? "" : fmt::format(" (and {} more)", errors - 1);
  return fmt::format("{}:{}:{}: {}: {}{}", utf8::printable(at.file), at.line, at.column,
                     diag::info(first->code).id, first->message, rest);
}

void Document::takeContracts(const pipeline::CheckedFile& checked) {
  const std::string refusal = refusalOf(checked);
  std::vector<plan::Plan> plans =
      refusal.empty() ? pipeline::plansOf(checked) : std::vector<plan::Plan>();
  std::size_t next = 0;
  for (const model::Contract& each : checked.contracts) {
    Entry& entry = contracts_.emplace_back();
    if (!refusal.empty())
      entry.refusal = refusal;
    else if (each.isAbstract)
      entry.refusal = fmt::format("{} is abstract; only contracts that extend it can run",
                                  utf8::ticked(each.name.value));
    else if (auto why = emit::whyNotCpp(plans[next]))
      entry.refusal = utf8::ticked(plans[next++].contract) + ' ' + *why;
    else
      entry.contract = std::make_shared<const RunnableContract>(each, std::move(plans[next++]));
  }
}

tikc_place Document::place(const Span& span) const {
  const Position begin = sources_.position(span.file, span.begin);
  const Position end = sources_.position(span.file, span.end);
  return {sources_.get(span.file).name.c_str(),
          span.begin,
          span.end,
          begin.line,
          begin.column,
          end.line,
          end.column};
}

std::string Document::json() const {
  std::vector<diag::ClaimVerdict> claims;
  for (const Claim& each : claims_)
    claims.push_back(each.verdict);
  const FileId files[] = {file_};
  const bool isRead = file_ != FileId::None;
  diag::Report report{
      sources_,          findings_,     std::span<const FileId>(files).first(isRead ? 1 : 0),
      contracts_.size(), versionString, claims};
  report.recorded = recorded_;
  return diag::render(diag::Format::Json, report);
}

} // namespace tikc::library
