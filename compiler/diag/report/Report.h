#pragma once

#include "diag/Drawing.h"
#include "support/Source.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The result of a run: findings, verdicts on claims, and fixes.
namespace tikc::diag {

enum class Format : std::uint8_t {
#define RENDERING(Name, ...) Name,
#include "diag/report/Renderings.def"
};

struct FormatInfo {
  Format format;
  std::string_view name;
  std::string_view summary;
};

std::span<const FormatInfo> formats();
std::optional<Format> findFormat(std::string_view name);

/// The verdict on a claim, in words for people.
struct ClaimVerdict {
  FileId file = FileId::None;
  std::string contract, claim;
  bool isDraft = false;            // in a draft, unproved claims are warnings
  std::string verdict;             // proved, refuted or unproved
  std::string bound;               // the proved bound, or empty
  std::string budget;              // "<= 0.065"
  std::string slack;               // "1.2%"; empty if the bound exceeds the budget
  std::vector<std::string> slices; // with this outcome; "*" is the mixture; empty without slices
};

/// A finding that an applied fix removed. Its place is in the original text.
struct FixedFinding {
  diag::Code code;
  Span span;
  std::string message;
  std::string title; // of the fix
  bool safe = true;
  std::vector<FileId> changed = {}; // the files that the fix changed, as they were before
};

/// A requested fix that was not applied, with the reason.
struct HeldFix {
  diag::Code code;
  Span span;
  std::string title;
  std::string why; // such as "the fix would introduce TK1002: duplicate key `model`"
};

/// Findings with fixes in a file that the run may not change.
struct ClosedFile {
  FileId file = FileId::None;
  std::size_t findings = 0;
};

/// The results of requested fixes.
struct Fixes {
  std::span<const FixedFinding> fixed;
  std::span<const HeldFix> held = {};
  std::span<const ClosedFile> closed = {};
  std::span<const diag::Diagnostic> left =
      {};                      // remaining failures that no other part of the output reports
  std::size_t unsafeLeft = 0;  // findings that an unsafe fix would remove
  std::size_t choicesLeft = 0; // findings with several alternative fixes
  std::size_t revealed = 0;    // errors that another fault hid before it was fixed
  bool stopped = false;        // stopped at the limit of attempts, with fixes left to try
  bool written = true;         // false: the report describes what would change
};

/// A test of a test run, with the place of its findings.
struct RanTest {
  std::string name;
  Span place;
  bool isPassed = true;
};

/// How much of one contract's rules the tests of a run exercised.
struct CoveredRules {
  std::string contract;
  std::size_t all = 0, met = 0;
  std::vector<std::string> missed;
};

/// An existing gate of a project, and how good it is.
struct JudgedGate {
  Span place;
  std::string gate;     // as written
  std::string verdict;  // "never fires", "bounds each step"
  std::string tv, bias; // what a passing step may still differ by; empty if no bound follows
};

/// The result of a run. The findings are final and in order: severities are settled, and suppressed
/// findings are removed.
struct Report {
  const SourceManager& sources;
  std::span<const diag::Diagnostic> diagnostics;
  std::span<const FileId> checkedFiles; // including clean ones
  std::uint64_t contracts = 0;
  std::string_view version;
  /// For runs over many contracts, only the number of claims by verdict.
  std::span<const ClaimVerdict> claims = {};
  std::map<std::string_view, std::uint64_t> decided = {};
  /// Set if fixes were requested.
  std::optional<Fixes> fixes = {};
  std::size_t heirs = 0;      // files that were not named, but extend a named one
  std::uint64_t recorded = 0; // findings that a baseline records
  /// For a test run: its tests, and their coverage by contract.
  std::optional<std::span<const RanTest>> tests = {};
  std::span<const CoveredRules> covered = {};
  /// For a run over gates instead of contracts.
  std::optional<std::span<const JudgedGate>> gates = {};
};

struct RenderOptions : diag::DrawingOptions {
  /// For text only: errors only, and no summary.
  bool quiet = false;
  /// For SARIF and rdjson: the web address of the page of all codes; empty if it is not published.
  std::string_view codesPage = {};
  /// For JUnit only: findings of at least this severity are failed tests.
  diag::Severity failOn = diag::Severity::Error;
  /// For JUnit only, which must state a time: seconds since 1970.
  std::int64_t time = 0;
};

/// The most results of a SARIF report that GitHub accepts.
inline constexpr std::size_t mostSarifResults = 25'000;

std::string render(Format format, const Report& report, const RenderOptions& options = {});
/// Renders the results of fixes as text: a line per finding, their number, and what is left.
std::string renderFixes(const SourceManager& sources, const Fixes& fixes,
                        const RenderOptions& options = {});
} // namespace tikc::diag
