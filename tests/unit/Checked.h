#pragma once

#include "unit/Observed.h"

#include "pipeline/Pipeline.h"
#include "support/Edits.h"

#include <string>
#include <string_view>
#include <vector>

namespace tikc::tests {

/// Checks one text as a file of its own and keeps what is needed to look at the findings.
class Checked {
public:
  explicit Checked(std::string text, project::Settings settings = {})
      : settings_(std::move(settings)) {
    FileId file = sources_.add("test.tikc.yaml", {}, std::move(text));
    result_ = pipeline::Checker(sources_, settings_).check(file);
  }

  const std::vector<diag::Diagnostic>& diagnostics() const { return result_.diagnostics; }
  const std::vector<model::Contract>& contracts() const { return result_.contracts; }
  std::string_view text(const Span& span) const { return sources_.text(span); }

  /// "TK2001 line:column `text under the carets`" a finding.
  std::vector<std::string> findings() const {
    std::vector<std::string> out;
    for (const diag::Diagnostic& found : result_.diagnostics) {
      Position at = sources_.position(found.span.file, found.span.begin);
      out.push_back(std::string(diag::info(found.code).id) + " " + std::to_string(at.line) + ":" +
                    std::to_string(at.column) + " `" + std::string(text(found.span)) + "`");
    }
    return out;
  }

private:
  SourceManager sources_;
  project::Settings settings_;
  pipeline::CheckedFile result_;
};

/// The text with a fix's edits.
inline std::string applied(const std::string& text, const diag::Fix& fix) {
  EditSet edits;
  edits.add(fix.edits);
  return fix.edits.empty() ? text : edits.apply(fix.edits.front().span.file, text);
}

/// A valid head, to which a test appends what it is about. It takes lines 1 to 7.
inline std::string head() {
  return "tikc: v1\n"
         "contract: test\n"
         "version: 1.0.0\n"
         "kernels:\n"
         "  trainer: { engine: fsdp2 }\n"
         "  rollout: { engine: vllm }\n"
         "pair: { train: trainer, infer: rollout }\n";
}

} // namespace tikc::tests
