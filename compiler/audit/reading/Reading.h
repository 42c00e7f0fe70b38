#pragma once

#include "audit/reading/Snippet.h"
#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Finds gates and correction settings in files, without running anything.
namespace tikc::audit {

/// An expression that may be a gate.
struct JudgingText {
  enum class How : std::uint8_t {
    Expression, // an argument of check_metrics.py, over the steps of a run
    Assertion,  // `assert …`, at each step
    Alarm,      // `if …:`, at each step; it reports the steps that it holds for
    Closeness   // `assert_close(a, b, …)` and similar calls on log-probs
  };

  How how = How::Expression;
  Snippet text;
  Span condition;          // that has to hold for the gate to run; invalid without one
  bool isInverted = false; // for Closeness: it passes if the arrays are not close
};

/// A name and its value, in a mapping, a command line, an assignment or an argument.
struct SetValue {
  std::string name;  // in full, such as `algorithm.rollout_correction.rollout_is`
  std::string value; // empty for a flag
  Span nameSpan, valueSpan;
  bool isKnown = true; // false if only running the program would give the value

  /// Returns the part after the last dot, in lower case with underscores.
  std::string key() const;
};

struct FoundParts {
  std::vector<JudgingText> asked;
  std::vector<SetValue> settings;
};

/// Reads a file as the kind that its name or first bytes indicate. Reports what it cannot read to
/// the sink.
FoundParts readFile(const SourceManager& sources, FileId file, const Limits& limits,
                    diag::Sink& sink);

/// Reads commands and their settings. Returns the place of a quote or bracket that is never closed,
/// after which nothing is reliable; otherwise invalid.
Span readShell(const Snippet& text, FoundParts& out);
void readYamlFile(const SourceManager& sources, FileId file, const Limits& limits, diag::Sink& sink,
                  FoundParts& out);
void readPythonFile(const Snippet& text, diag::Sink& sink, FoundParts& out);

/// Reads one or more words of a command line.
void readWords(std::span<const Snippet> words, FoundParts& out);
/// Whether a text is an expression over the steps of a run, as check_metrics.py accepts it.
bool isExpression(std::string_view text);
/// Returns a setting; for ${NAME:-default}, the default is its value.
SetValue settingOf(const Snippet& name, const Snippet& value);

} // namespace tikc::audit
