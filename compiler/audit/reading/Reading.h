#pragma once

#include "audit/reading/Snippet.h"
#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// What files hold that may be gates, or settings of what corrects a gap. Nothing of it is run.
namespace tikc::audit {

/// An expression that somebody judges by.
struct JudgingText {
  enum class How : std::uint8_t {
    Expression, // an argument of check_metrics.py, over the steps of a run
    Assertion,  // `assert …`, at each step
    Alarm,      // `if …:`, at each step: it tells of what it holds for
    Closeness   // `assert_close(a, b, …)` and its like, of log-probs
  };

  How how = How::Expression;
  Snippet text;
  Span condition; // what has to hold for it to be asked at all; invalid where nothing has
};

/// A name and what it is set to: of a mapping, a command line, an assignment, an argument.
struct SetValue {
  std::string name;  // whole, as `algorithm.rollout_correction.rollout_is`
  std::string value; // empty of a flag
  Span nameSpan, valueSpan;
  bool isKnown = true; // else what it is nobody knows before it runs

  /// Without what stands before the last dot, in lower case and with underscores.
  std::string key() const;
};

struct FoundParts {
  std::vector<JudgingText> asked;
  std::vector<SetValue> settings;
};

/// Reads a file as what its name says it is, or its first bytes. What cannot be read is told to the
/// sink.
FoundParts readFile(const SourceManager& sources, FileId file, const Limits& limits,
                    diag::Sink& sink);

/// The words of commands, with what they set. Gives what is opened and never closed, behind which
/// nothing is read as it was meant; invalid where nothing is.
Span readShell(const Snippet& text, FoundParts& out);
void readYamlFile(const SourceManager& sources, FileId file, const Limits& limits, diag::Sink& sink,
                  FoundParts& out);
void readPythonFile(const Snippet& text, diag::Sink& sink, FoundParts& out);

/// One word of a command line, or several of a list of them.
void readWords(std::span<const Snippet> words, FoundParts& out);
/// Whether a text is an expression over the steps of a run, as check_metrics.py takes it.
bool isExpression(std::string_view text);
/// Without the default in ${NAME:-default}: that is what is set unless somebody says otherwise.
SetValue settingOf(const Snippet& name, const Snippet& value);

} // namespace tikc::audit
