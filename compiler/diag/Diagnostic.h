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

/// Whether a user may change a code's severity or suppress it. What the meaning of a contract rests
/// on is fixed.
enum class SeverityPolicy : std::uint8_t { Fixed, Settable };

/// Every finding that tikc can make. The numbers are stable and never reused.
enum class Code : std::uint16_t {
// The leading 1 keeps 0010 from being read as octal.
#define DIAG(number, Name, ...) Name = 1##number - 10000,
#include "diag/Diagnostics.def"
};

/// What the catalogue says of a code.
struct CodeInfo {
  Code code;
  std::string_view id;   // TK1001
  std::string_view name; // UnknownKey
  Severity severity;
  SeverityPolicy policy;
  std::string_view summary;
  std::string_view why;
};

/// Whether findings of a code come with edits that mend them, wherever it can be told what to
/// write.
bool hasFixes(Code code);

std::span<const CodeInfo> catalogue();
const CodeInfo& info(Code code);
std::optional<Code> findCode(std::string_view id);
/// What codes of its thousand are about: "names".
std::string_view familyOf(Code code);
/// Whether a code tells what became of a claim.
bool isOfClaim(Code code);
/// Where a page of all codes explains one of them.
std::string placeIn(std::string_view page, Code code);
std::string_view severityName(Severity severity);
std::optional<Severity> findSeverity(std::string_view name);

using tikc::Edit;

/// One way out of a finding, to be applied whole. A safe fix keeps or restores what the author
/// plainly meant.
struct Fix {
  std::string title;
  std::vector<Edit> edits;
  bool safe = true;
};

/// Another place that explains the finding, drawn with its own source line.
struct Related {
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
  std::vector<Related> related;
  std::vector<Fix> fixes;
  /// What else is told rests on it: here not even what its code allows silences it.
  bool isFixed = false;

  Diagnostic& withLabel(std::string text);
  Diagnostic& note(std::string text);
  Diagnostic& relatedTo(const Span& where, std::string text);
  Diagnostic& fix(std::string title, std::vector<Edit> edits, bool safe = true);
  Diagnostic& unsafeFix(std::string title, std::vector<Edit> edits);
  /// Offers the nearest of the names in the place of what was written, if one is near. It is a
  /// guess, unless it is the same name as far as `sure` asks.
  bool offerNearest(const Span& where, std::string_view written,
                    std::span<const std::string_view> names, Likeness sure = Likeness::Spelling);
};

/// Whether authors may silence it.
bool isSettable(const Diagnostic& found);
/// Whether what is written means nothing certain: an error that no setting made and none takes
/// away. A claim that does not follow is no fault of the text.
bool isFaultOfText(const Diagnostic& found);

/// What the catalogue calls the types of its arguments.
struct MessageTypes {
  using Text = std::string_view;
  using Count = std::uint64_t;
};

// One type a code; its message() fixes the number and the types of the arguments, and the format
// string is checked against them when the catalogue is compiled.
#define DIAG(number, Name, severity, policy, parameters, ...)                                      \
  struct Name : MessageTypes {                                                                     \
    static constexpr Code code = Code::Name;                                                       \
    static std::string message parameters;                                                         \
  };
#include "diag/Diagnostics.def"

} // namespace tikc::diag
