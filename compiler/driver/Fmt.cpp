#include "diag/Drawing.h"
#include "driver/Commands.h"
#include "driver/CommonOptions.h"
#include "driver/Rewrite.h"
#include "pipeline/Pipeline.h"
#include "project/Inputs.h"
#include "support/Diff.h"
#include "support/Edits.h"
#include "support/Files.h"
#include "support/Utf8.h"
#include "support/Workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

namespace tikc::driver {
namespace {

/// A file and what it becomes.
struct FormattedText {
  const project::InputFile* input = nullptr;
  std::string text;
  std::vector<diag::Diagnostic> diagnostics; // it is left alone
  bool disagrees = false;                    // so it is for a fault of tikc
};

FormattedText formatOne(pipeline::Checker& checker, const SourceManager& sources,
                        const project::InputFile& input) {
  const std::string& before = sources.get(input.file).text;
  FormattedText out{&input, before, {}, false};
  if (input.tooLarge) {
    out.diagnostics.push_back(*input.tooLarge);
    return out;
  }
  pipeline::FormattedFile formatted = checker.format(input.file);
  out.diagnostics = std::move(formatted.diagnostics);
  EditSet edits;
  if (formatted.edits && edits.add(*formatted.edits))
    out.text = edits.apply(input.file, before);
  else
    out.disagrees = out.diagnostics.empty();
  return out;
}

std::vector<FormattedText> formatAll(SourceManager& sources,
                                     const std::vector<project::InputFile>& files,
                                     const Limits& limits, unsigned jobs) {
  std::vector<FormattedText> out(files.size());
  runParallel(files.size(), jobs, [&] {
    auto checkers = std::make_shared<std::map<const project::Settings*, pipeline::Checker>>();
    return [&, checkers](std::size_t i) {
      auto& checker = checkers->try_emplace(files[i].settings, sources, *files[i].settings, limits)
                          .first->second;
      out[i] = formatOne(checker, sources, files[i]);
    };
  });
  return out;
}

/// Carries out what was asked for, and remembers how it went.
class Formatting {
public:
  Formatting(const Invocation& invocation, const SourceManager& sources, const Limits& limits)
      : checks_(invocation.has("--check")), shows_(invocation.has("--diff")), sources_(sources),
        limits_(limits) {}

  void complain(const std::vector<diag::Diagnostic>& findings) {
    for (const diag::Diagnostic& diagnostic : findings)
      complaints_ += diag::renderText(sources_, diagnostic);
  }

  void take(const FormattedText& file) {
    const Source& before = sources_.get(file.input->file);
    std::string name = utf8::printable(before.name);
    complain(file.diagnostics);
    if (file.disagrees)
      fail(llvm::createStringError(std::make_error_code(std::errc::state_not_recoverable),
                                   fmt::format("internal fault: formatting would change the "
                                               "meaning of `{}`; the file was left unchanged",
                                               name)));
    bool changes = file.input->mayChange && file.text != before.text;
    anyChanges_ |= changes;
    if (shows_)
      text_ += changes ? unifiedDiff(name, before.text, file.text) : "";
    else if (checks_)
      text_ += changes ? name + "\n" : "";
    else if (file.input->standardInput)
      text_ += file.text;
    else if (changes)
      write(before, file.text, name);
  }

  llvm::Expected<int> finish() {
    std::fwrite(complaints_.data(), 1, complaints_.size(), stderr);
    if (auto error = showText(text_))
      fail(std::move(error));
    if (errors_)
      return std::move(errors_);
    bool hasFindings = !complaints_.empty() || (anyChanges_ && (checks_ || shows_));
    return hasFindings ? Findings : Clean;
  }

private:
  void write(const Source& before, const std::string& text, const std::string& name) {
    if (auto error = rewrite(before, text, limits_))
      fail(std::move(error));
    else
      text_ += "formatted " + name + "\n";
  }
  void fail(llvm::Error error) { errors_ = llvm::joinErrors(std::move(errors_), std::move(error)); }

  bool checks_;
  bool shows_;
  const SourceManager& sources_;
  const Limits& limits_;
  std::string text_;
  std::string complaints_;
  bool anyChanges_ = false;
  llvm::Error errors_ = llvm::Error::success();
};

} // namespace

llvm::Expected<int> runFmt(const Invocation& invocation) {
  auto jobs = jobsOf(invocation);
  if (!jobs)
    return jobs.takeError();
  Limits limits;
  SourceManager sources;
  project::Inputs inputs(sources, limits);
  inputs.ignoreBaselines();
  if (auto error = addInputs(inputs, invocation))
    return error;
  const auto& files = inputs.files();
  auto isPiped = [](const project::InputFile& input) { return input.standardInput; };
  if (files.size() > 1 && std::any_of(files.begin(), files.end(), isPiped))
    return usageError("standard input cannot be combined with other paths");
  if (auto error = refuseStreams(inputs, sources, "tikc fmt -"))
    return error;
  if (!files.empty() && files.front().standardInput && files.front().tooLarge)
    return usageError("standard input is too large to format");
  Formatting formatting(invocation, sources, limits);
  formatting.complain(inputs.settingsFindings());
  for (const FormattedText& file : formatAll(sources, files, limits, *jobs))
    formatting.take(file);
  return withUnread(formatting.finish(), inputs);
}

} // namespace tikc::driver
