#pragma once

#include "diag/Diagnostic.h"
#include "support/Source.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::diag {

enum class Format : std::uint8_t {
#define RENDERING(Name, ...) Name,
#include "diag/Renderings.def"
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
  std::string verdict;             // proved, refuted or unproved
  std::string bound;               // what follows; empty where nothing does
  std::string budget;              // "<= 0.065"
  std::string slack;               // "1.2%"; empty where the bound breaks the budget
  std::vector<std::string> slices; // with this outcome; "*" is the mixture; empty without slices
};

/// A finding that is gone because its fix was applied. The place is one of the text as it was.
struct FixedFinding {
  Code code;
  Span span;
  std::string message;
  std::string title; // of the fix
  bool safe = true;
};

/// What a run found. The findings are final: severities are settled, suppressed ones are gone, and
/// the order is kept.
struct Report {
  const SourceManager& sources;
  std::span<const Diagnostic> diagnostics;
  std::span<const FileId> checkedFiles; // clean ones too
  std::uint64_t contracts = 0;
  std::string_view version;
  std::span<const ClaimVerdict> claims = {};
  /// Where fixes were asked for.
  std::optional<std::span<const FixedFinding>> fixed = {};
  std::size_t unsafeLeft = 0; // findings that an unsafe fix would end
};

struct RenderOptions {
  bool color = false;
  /// Text alone: errors only, and no summary.
  bool quiet = false;
  /// Text alone: cells of the terminal. What does not fit of a source line becomes an ellipsis.
  unsigned width = 120;
  /// JUnit alone: findings from here up are failed tests.
  Severity failOn = Severity::Error;
  /// JUnit alone, which must state a time: seconds since 1970.
  std::int64_t time = 0;
};

std::string render(Format format, const Report& report, const RenderOptions& options = {});
/// What was fixed in the text form: a line a finding, and their number.
std::string renderFixed(const SourceManager& sources, std::span<const FixedFinding> fixed,
                        const RenderOptions& options = {});
/// One finding in the text form.
std::string renderText(const SourceManager& sources, const Diagnostic& diagnostic,
                       const RenderOptions& options = {});

} // namespace tikc::diag
