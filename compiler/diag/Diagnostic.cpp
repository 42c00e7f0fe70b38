#include "diag/Diagnostic.h"

#include "support/Check.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <array>

namespace tikc::diag {

#define FORMAT(...) fmt::format(__VA_ARGS__)
#define DIAG(number, Name, severity, policy, parameters, format, ...)                              \
  std::string Name::message parameters { return FORMAT format; }
#include "diag/Diagnostics.def"
#undef FORMAT

namespace {

constexpr CodeInfo table[] = {
#define DIAG(number, Name, severity, policy, parameters, format, summary, why)                     \
  {Code::Name, "TK" #number, #Name, Severity::severity, SeverityPolicy::policy, summary, why},
#include "diag/Diagnostics.def"
};

constexpr bool ascending() {
  for (std::size_t i = 1; i < std::size(table); ++i)
    if (table[i - 1].code >= table[i].code)
      return false;
  return true;
}
constexpr Code mended[] = {
#define FIX(Name) Code::Name,
#include "diag/Fixes.def"
};
static_assert(std::is_sorted(std::begin(mended), std::end(mended)),
              "Fixes.def is in the order of the catalogue");

static_assert(ascending(), "Diagnostics.def is in the order of its numbers, each used once");

constexpr std::string_view severityNames[] = {"ignore", "note", "warning", "error"};

} // namespace

std::span<const CodeInfo> catalogue() { return table; }

const CodeInfo& info(Code code) {
  const CodeInfo* entry =
      std::lower_bound(std::begin(table), std::end(table), code,
                       [](const CodeInfo& row, Code wanted) { return row.code < wanted; });
  TIKC_CHECK(entry != std::end(table) && entry->code == code, "each code is in the catalogue");
  return *entry;
}

bool hasFixes(Code code) { return std::binary_search(std::begin(mended), std::end(mended), code); }

bool isSettable(const Diagnostic& diagnostic) {
  return !diagnostic.isFixed && info(diagnostic.code).policy == SeverityPolicy::Settable;
}

bool isFaultOfText(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::Error && !isSettable(diagnostic) &&
         !isOfClaim(diagnostic.code);
}

std::optional<Code> findCode(std::string_view id) {
  for (const CodeInfo& row : table)
    if (row.id == id)
      return row.code;
  return std::nullopt;
}

std::string_view familyOf(Code code) {
  static constexpr std::string_view families[] = {
      "the file and its limits",
      "YAML",
      "shape: keys and values",
      "expressions, numbers and units",
      "types, levels and ranges",
      "names",
      "slices",
      "escalation",
      "promotion, observability, evidence, and gates of others",
      "suppressions, settings and the baseline"};
  return families[static_cast<unsigned>(code) / 1000];
}

bool isOfClaim(Code code) {
  constexpr std::string_view codes = "TK61";
  return info(code).id.starts_with(codes);
}

std::string placeIn(std::string_view page, Code code) {
  // As renderers of Markdown make anchors of "### TK1001 SyntaxError".
  std::string anchor = fmt::format("{}-{}", info(code).id, info(code).name);
  return fmt::format("{}#{}", page, llvm::StringRef(anchor).lower());
}

std::string_view severityName(Severity severity) {
  return severityNames[static_cast<std::size_t>(severity)];
}

std::optional<Severity> findSeverity(std::string_view name) {
  for (std::size_t i = 0; i < std::size(severityNames); ++i)
    if (severityNames[i] == name)
      return static_cast<Severity>(i);
  return std::nullopt;
}

Diagnostic& Diagnostic::withLabel(std::string text) {
  label = std::move(text);
  return *this;
}

Diagnostic& Diagnostic::note(std::string text) {
  notes.push_back(std::move(text));
  return *this;
}

Diagnostic& Diagnostic::relatedTo(const Span& where, std::string text) {
  related.push_back({where, std::move(text)});
  return *this;
}

Diagnostic& Diagnostic::fix(std::string title, std::vector<Edit> edits, bool safe) {
  fixes.push_back({std::move(title), std::move(edits), safe});
  return *this;
}

Diagnostic& Diagnostic::unsafeFix(std::string title, std::vector<Edit> edits) {
  return fix(std::move(title), std::move(edits), false);
}

bool Diagnostic::offerNearest(const Span& where, std::string_view written,
                              std::span<const std::string_view> names, Likeness sure) {
  auto near = nearestName(written, names);
  if (!near)
    return false;
  withLabel("did you mean " + utf8::ticked(*near) + "?")
      .fix("write " + utf8::printable(*near), {{where, std::string(*near)}},
           isIdentifier(*near) && likeness(written, *near, names) >= sure);
  return true;
}

} // namespace tikc::diag
