#pragma once

#include "audit/reading/Snippet.h"
#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Finds gates and correction settings in files, without running anything.
namespace tikc::audit {

/// An expression that may be a gate.
struct JudgingText {
  enum class How : std::uint8_t {
    Expression, // an argument of check_metrics.py, over the steps of a run
    Assertion,  // `assert …`, at each step
    Alarm,      // `if …:`, at each step; it reports the steps that it holds for
    Closeness,  // `assert_close(a, b, …)` and similar calls on log-probs
    Success,    // a condition on the `result` of a query, which a rollout needs
    Failure     // one that stops a rollout
  };

  How how = How::Expression;
  Snippet text;
  Span condition;          // that has to hold for the gate to run; invalid without one
  bool isInverted = false; // for Closeness: it passes if the arrays are not close
  std::string result = {}; // for Success and Failure: the figure that they call `result`
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

/// A fault that the settings of a rollout's metric have, whatever its condition is.
struct RolloutFault {
  enum class Kind : std::uint8_t {
    NeverFails,
    AlwaysFails,
    FailsOnlyWithOthers,
    Leaves,
    PassesNan,
    PassesNothing,
    LeavesGrowth,
    ComparesServers
  };

  Kind kind;
  Span place;
  std::string what; // for Leaves: "up to 2 of 5 measurements"
  std::string note;
};

/// A metric that decides a rollout: of an analysis of Argo Rollouts, or of Kayenta.
struct RolloutMetric {
  std::string name;
  Span place;
  Snippet query;                           // of Prometheus; empty for any other source
  std::optional<Snippet> success, failure; // conditions of Argo Rollouts
  std::vector<RolloutFault> faults;
  std::string unread; // why its settings are not understood

  void add(RolloutFault::Kind kind, Span at, std::string what, std::string note) {
    faults.push_back({kind, at, std::move(what), std::move(note)});
  }
};

/// A row of the statistics that llama-perplexity prints.
struct PrintedFigure {
  std::string name; // as in the catalogue
  Snippet value;
  Span place;
};

struct FoundParts {
  std::vector<JudgingText> asked;
  std::vector<SetValue> settings;
  std::vector<RolloutMetric> rollouts;
  std::vector<PrintedFigure> printed;
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
/// Reads keys and values, such as of prime-rl's configurations.
void readTomlFile(const Snippet& text, diag::Sink& sink, FoundParts& out);
/// Reads a value that may be an expression or a script.
void readTextValue(const Snippet& value, FoundParts& out);
void readPythonFile(const Snippet& text, diag::Sink& sink, FoundParts& out);

/// Reads an analysis of Argo Rollouts or a configuration of Kayenta. Returns false for anything
/// else.
bool readArgo(const Source& source, FileId file, const yaml::Node& document, FoundParts& out);
bool readKayenta(const Source& source, FileId file, const yaml::Node& document, FoundParts& out);
Snippet snippetOf(const Source& source, FileId file, const yaml::Node& scalar);
/// Reads statistics of llama-perplexity. Returns false if there are none.
bool readPrinted(const Snippet& text, FoundParts& out);

/// Reads one or more words of a command line.
void readWords(std::span<const Snippet> words, FoundParts& out);
/// Whether a text is an expression over the steps of a run, as check_metrics.py accepts it.
bool isExpression(std::string_view text);
/// Returns a setting; for ${NAME:-default}, the default is its value.
SetValue settingOf(const Snippet& name, const Snippet& value);
/// Whether a setting has two numbers as its value, in OpenRLHF.
bool isRange(std::string_view name);
/// Returns a setting of two numbers, such as the ends of a range.
SetValue pairOf(const Snippet& name, const Snippet& first, const Snippet& second);

} // namespace tikc::audit
