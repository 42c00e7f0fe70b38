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

/// What a run of the compiler tells: findings, what became of claims and of fixes.
namespace tikc::report {

enum class Format : std::uint8_t {
#define RENDERING(Name, ...) Name,
#include "report/Renderings.def"
};

struct FormatInfo {
  Format format;
  std::string_view name;
  std::string_view summary;
};

std::span<const FormatInfo> formats();
std::optional<Format> findFormat(std::string_view name);

/// What became of a claim, in the words that people read.
struct ClaimVerdict {
  FileId file = FileId::None;
  std::string contract, claim;
  bool isDraft = false;            // the contract: what is not proved is a warning
  std::string verdict;             // proved, refuted or unproved
  std::string bound;               // what follows; empty where nothing does
  std::string budget;              // "<= 0.065"
  std::string slack;               // "1.2%"; empty where the bound breaks the budget
  std::vector<std::string> slices; // with this outcome; "*" is the mixture; empty without slices
};

/// A finding that is gone because its fix was applied. The place is one of the text as it was.
struct FixedFinding {
  diag::Code code;
  Span span;
  std::string message;
  std::string title; // of the fix
  bool safe = true;
  std::vector<FileId> changed = {}; // the files that it was applied to, as they were
};

/// A fix that was asked for and is not applied, and why not.
struct HeldFix {
  diag::Code code;
  Span span;
  std::string title;
  std::string why; // "the fix would introduce TK1002: duplicate key `model`"
};

/// Findings that fixes would end in a file that the run may not change.
struct ClosedFile {
  FileId file = FileId::None;
  std::size_t findings = 0;
};

/// What became of the fixes that a run was asked for.
struct Fixes {
  std::span<const FixedFinding> fixed;
  std::span<const HeldFix> held = {};
  std::span<const ClosedFile> closed = {};
  std::span<const diag::Diagnostic> left = {}; // what fails still, where nothing else tells of it
  std::size_t unsafeLeft = 0;                  // findings that an unsafe fix would end
  std::size_t choicesLeft = 0;                 // that several would, each in its way
  std::size_t revealed = 0;                    // errors that a fault hid before it was mended
  bool stopped = false;                        // at the limit of attempts, with fixes left to try
  bool written = true;                         // else it is told what would become
};

/// A test that ran, where a run is of tests: what it found is within the place.
struct RanTest {
  std::string name;
  Span place;
  bool isPassed = true;
};

/// What a run's tests went through of all that one contract's rules can do.
struct CoveredRules {
  std::string contract;
  std::size_t all = 0, met = 0;
  std::vector<std::string> missed;
};

/// A gate that somebody had already, where a run is of such: what it is worth.
struct JudgedGate {
  Span place;
  std::string gate;     // as it is written
  std::string verdict;  // "never fires", "bounds each step"
  std::string tv, bias; // what passes may differ by; empty where nothing follows
};

/// What a run found. The findings are final: severities are settled, suppressed ones are gone, and
/// the order is kept.
struct Report {
  const SourceManager& sources;
  std::span<const diag::Diagnostic> diagnostics;
  std::span<const FileId> checkedFiles; // clean ones too
  std::uint64_t contracts = 0;
  std::string_view version;
  /// Of many contracts only how many claims have which verdict.
  std::span<const ClaimVerdict> claims = {};
  std::map<std::string_view, std::uint64_t> decided = {};
  /// Where fixes were asked for.
  std::optional<Fixes> fixes = {};
  std::size_t heirs = 0;      // files that were not named, but extend one that was
  std::uint64_t recorded = 0; // findings that a baseline passes over
  /// Of a run of tests: those that ran, and by contract what they went through.
  std::optional<std::span<const RanTest>> tests = {};
  std::span<const CoveredRules> covered = {};
  /// Of a run that is of gates, and of no contracts.
  std::optional<std::span<const JudgedGate>> gates = {};
};

struct RenderOptions : diag::DrawingOptions {
  /// Text alone: errors only, and no summary.
  bool quiet = false;
  /// SARIF and rdjson: the web address of the page of all codes; empty where it is not published.
  std::string_view codesPage = {};
  /// JUnit alone: findings from here up are failed tests.
  diag::Severity failOn = diag::Severity::Error;
  /// JUnit alone, which must state a time: seconds since 1970.
  std::int64_t time = 0;
};

/// What a report in SARIF may hold: GitHub takes no more.
inline constexpr std::size_t mostSarifResults = 25'000;

std::string render(Format format, const Report& report, const RenderOptions& options = {});
/// What became of the fixes in the text form: a line a finding, their number, and what is left.
std::string renderFixes(const SourceManager& sources, const Fixes& fixes,
                        const RenderOptions& options = {});
} // namespace tikc::report
