#pragma once

#include "checker/engine/LoadedPlan.h"
#include "data/Source.h"
#include "data/inspect/Diagnosis.h"
#include "measure/Measurement.h"
#include "measure/Rows.h"
#include "pipeline/Pipeline.h"
#include "support/Source.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tikc::suggest {

/// The result of a comparison on a slice over all its windows, in the author's unit.
struct ClauseOutcome {
  std::string clause, slice; // "*": the mixture
  verdict is = verdict::undecided;
  double value = 0, low = 0, high = 0; // the worst value, and the ends of the intervals
  std::optional<double> bound;
  std::uint64_t observations = 0, windows = 0;
};

/// A text that is not a file, checked as by `tikc check` and measured as by `tikc measure`.
class CheckedDraft {
public:
  explicit CheckedDraft(const std::string& text);
  CheckedDraft(const CheckedDraft&) = delete;
  CheckedDraft& operator=(const CheckedDraft&) = delete;

  const std::vector<diag::Diagnostic>& findings() const { return checked_.diagnostics; }
  bool hasErrors() const;
  const std::vector<model::Contract>& contracts() const { return checked_.contracts; }
  const std::vector<diag::ClaimVerdict>& verdicts() const { return checked_.verdicts; }
  /// Returns the statement that contains a finding, or an empty text.
  std::string statementAt(const Span& span) const;
  /// Returns the text in canonical style; nothing if it is not YAML.
  std::optional<std::string> formatted();
  /// Measures a text without errors. `diagnosis` gets what the data are consistent with.
  std::vector<ClauseOutcome> measured(const data::Source& source, unsigned jobs,
                                      data::Diagnosis* diagnosis = nullptr) const;

private:
  SourceManager sources_;
  project::Settings settings_;
  FileId file_;
  pipeline::Checker checker_;
  pipeline::CheckedFile checked_;
};

/// Returns the number of a proved bound, such as "1.7%" or "0.02 nat".
std::optional<Rational> numberIn(std::string_view bound);

/// Returns the outcomes of all checks of a plan, by clause and slice.
std::vector<ClauseOutcome> outcomesOf(const measure::MeasuredPlan& subject,
                                      const measure::Measurement& measured);

} // namespace tikc::suggest
