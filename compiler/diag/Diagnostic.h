#pragma once

#include "support/Edits.h"
#include "support/Names.h"
#include "support/Span.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::diag {

enum class Severity : std::uint8_t { Off, Note, Warning, Error };

/// Whether users may change a code's severity or suppress it. Findings that affect the meaning of a
/// contract are fixed.
enum class SeverityPolicy : std::uint8_t { Fixed, Settable };

/// All findings of tikc. Numbers are stable and never reused.
enum class Code : std::uint16_t {
// The leading 1 keeps 0010 from being octal.
#define DIAG(number, Name, ...) Name = 1##number - 10000,
#include "diag/Diagnostics.def"
};

/// A row of the catalogue.
struct CodeInfo {
  Code code;
  std::string_view id;   // TK1001
  std::string_view name; // UnknownKey
  Severity severity;
  SeverityPolicy policy;
  std::string_view summary;
  std::string_view why;
};

/// Whether findings of a code have edits that fix them, if the replacement is known.
bool hasFixes(Code code);

std::span<const CodeInfo> catalogue();
const CodeInfo& info(Code code);
std::optional<Code> findCode(std::string_view id);
/// Returns the topic of a code's thousand: "names".
std::string_view familyOf(Code code);
/// Whether a code reports the verdict on a claim.
bool isOfClaim(Code code);
/// Returns the link to a code in a page of all codes.
std::string placeIn(std::string_view page, Code code);
std::string_view severityName(Severity severity);
std::optional<Severity> findSeverity(std::string_view name);

using tikc::Edit;

/// A fix, applied as a whole. A safe fix keeps or restores the author's evident meaning.
struct Fix {
  std::string title;
  std::vector<Edit> edits;
  bool safe = true;
};

/// Another place that explains the finding, drawn with its source line.
struct RelatedPlace {
  Span span;
  std::string message;
};

struct Diagnostic {
  Code code;
  Severity severity;
  Span span;
  std::string message;
  std::string label; // the few words under the carets
  std::vector<std::string> notes;
  std::vector<RelatedPlace> related;
  std::vector<Fix> fixes;
  /// Whether other findings rest on this one; then it cannot be suppressed, whatever its code's
  /// policy.
  bool isFixed = false;

  Diagnostic& withLabel(std::string text);
  Diagnostic& note(std::string text);
  Diagnostic& relatedTo(const Span& where, std::string text);
  Diagnostic& fix(std::string title, std::vector<Edit> edits, bool safe = true);
  Diagnostic& unsafeFix(std::string title, std::vector<Edit> edits);
  /// Offers to replace a word with the nearest name, if one is near. The fix is safe only if the
  /// names are at least as alike as `sure`.
  bool offerNearest(const Span& where, std::string_view written,
                    std::span<const std::string_view> names, Likeness sure = Likeness::Spelling);
};

/// Whether users may suppress the finding.
bool isSettable(const Diagnostic& diagnostic);
/// Whether the text has no certain meaning: an error by its nature, which no setting made or can
/// remove. A claim that does not follow is not such an error.
bool isFaultOfText(const Diagnostic& diagnostic);

/// The argument types in the catalogue.
struct MessageTypes {
  using Text = std::string_view;
  using Count = std::uint64_t;
};

// One type per code. Its message() fixes the number and types of the arguments, and compiling the
// catalogue checks the format string against them.
#define DIAG(number, Name, severity, policy, parameters, ...)                                      \
  struct Name : MessageTypes {                                                                     \
    static constexpr Code code = Code::Name;                                                       \
    static std::string message parameters;                                                         \
  };
#include "diag/Diagnostics.def"

} // namespace tikc::diag
