#include "diag/report/Forms.h"
#include "diag/report/Parts.h"
#include "support/Paint.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace tikc::diag {

namespace {

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// The claims of one contract as a table; of several, how many have which verdict, each claim
/// counted with its worst.
std::string claims(const Report& report, const Painter& paint) {
  auto style = [](const ClaimVerdict& row) {
    return row.verdict == "proved" ? PaintStyle::Added
           : row.isDraft           ? PaintStyle::Warning
                                   : PaintStyle::Error;
  };
  if (report.contracts > 1 || report.claims.empty()) {
    std::string out;
    for (const auto& [verdict, count] : report.decided)
      out += fmt::format("{}{} {}", out.empty() ? "claims: " : ", ", count, verdict);
    return out.empty() ? out : out + "\n";
  }
  /// The budget; for a bound beyond it, how far it is exceeded: "0.245 > 0.2".
  const auto budgetOf = [](const ClaimVerdict& row) {
    constexpr std::pair<std::string_view, std::string_view> opposites[] = {
        {"<=", ">"}, {">=", "<"}, {"<", ">="}, {">", "<="}};
    if (row.verdict != "proved" && !row.bound.empty())
      for (const auto& [sign, opposite] : opposites)
        if (row.budget.starts_with(sign))
          return fmt::format("{}{}", opposite, row.budget.substr(sign.size()));
    return row.budget;
  };
  std::size_t ids = 0, bounds = 0, budgets = 0;
  for (const ClaimVerdict& row : report.claims) {
    ids = std::max(ids, row.claim.size());
    bounds = std::max(bounds, row.bound.size());
    budgets = std::max(budgets, row.budget.size());
  }
  std::string out;
  for (const ClaimVerdict& row : report.claims) {
    std::string where;
    for (const std::string& slice : row.slices)
      where +=
          (where.empty() ? "  on " : ", ") + (slice == "*" ? std::string("the mixture") : slice);
    out += fmt::format("{:<{}}  {}  {:>{}} {:<{}}  {}", row.claim, ids,
                       paint(style(row), fmt::format("{:<8}", row.verdict)), row.bound, bounds,
                       budgetOf(row), budgets, row.slack.empty() ? "" : "slack " + row.slack) +
           where;
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

/// Where each gate is, and what it is worth.
std::string gates(const Report& report) {
  std::string out;
  for (const JudgedGate& row : *report.gates) {
    out += fmt::format("{}  {}: {}", shownPlace(report.sources, row.place), utf8::ticked(row.gate),
                       row.verdict);
    if (!row.tv.empty())
      out += fmt::format(", tv at most {}", row.tv);
    if (!row.bias.empty())
      out += fmt::format(", gradient bias at most {} of advantage x score norm", row.bias);
    out += '\n';
  }
  return out;
}

std::string summary(const Report& report, const Painter& paint) {
  Counts counts = count(report);
  std::vector<std::string> beside;
  if (report.heirs > 0)
    beside.push_back(
        fmt::format("{} extend{} the given files", report.heirs, report.heirs == 1 ? "s" : ""));
  if (report.recorded > 0)
    beside.push_back(fmt::format("{} in the baseline", report.recorded));
  if (report.diagnostics.empty())
    return fmt::format(
        "{} in {}: no {}findings{}\n",
        report.gates ? plural(report.gates->size(), "gate") : plural(report.contracts, "contract"),
        plural(report.checkedFiles.size(), "file"), report.recorded > 0 ? "new " : "",
        beside.empty() ? "" : fmt::format(" ({})", fmt::join(beside, ", ")));
  std::string text;
  auto add = [&](std::size_t number, std::string_view noun, PaintStyle style) {
    if (number > 0)
      text += (text.empty() ? "" : ", ") + paint(style, plural(number, noun));
  };
  add(counts.errors, "error", PaintStyle::Error);
  add(counts.warnings, "warning", PaintStyle::Warning);
  add(counts.notes, "note", PaintStyle::Note);
  beside.insert(beside.begin(), fmt::format("{} checked", report.checkedFiles.size()));
  return fmt::format("{} in {} ({})\n", text, plural(counts.files, "file"),
                     fmt::join(beside, ", "));
}

} // namespace

std::string formText(const Report& report, const RenderOptions& options) {
  std::string out;
  for (const Diagnostic& d : report.diagnostics) {
    if (options.quiet && d.severity != Severity::Error)
      continue;
    out += renderText(report.sources, d, options);
    out += '\n';
  }
  if (options.quiet)
    return out;
  if (report.fixes)
    out = renderFixes(report.sources, *report.fixes, options) + out;
  return out + (report.gates ? gates(report) : claims(report, Painter(options.color))) +
         summary(report, Painter(options.color));
}

std::string renderFixes(const SourceManager& sources, const Fixes& fixes,
                        const RenderOptions& options) {
  Painter paint(options.color);
  std::set<FileId> files;
  std::string out;
  for (const FixedFinding& each : fixes.fixed) {
    files.insert(each.changed.begin(), each.changed.end());
    std::string elsewhere;
    for (FileId file : each.changed)
      if (file != each.span.file)
        elsewhere += ", in " + utf8::printable(sources.get(file).name);
    out += fmt::format(
        "{} {}: {}{}{}\n",
        paint(PaintStyle::Note,
              fmt::format("{}[{}]", fixes.written ? "fixed" : "would fix", info(each.code).id)),
        shownPlace(sources, each.span), utf8::printable(each.title), elsewhere,
        each.safe ? "" : " (unsafe)");
  }
  for (const HeldFix& each : fixes.held)
    out += fmt::format("{} {}: {}: {}\n",
                       paint(PaintStyle::Note, fmt::format("not fixed[{}]", info(each.code).id)),
                       shownPlace(sources, each.span), utf8::printable(each.title), each.why);
  if (!fixes.fixed.empty())
    out += fmt::format("{} {}fixed in {}\n", plural(fixes.fixed.size(), "finding"),
                       fixes.written ? "" : "would be ", plural(files.size(), "file"));
  if (fixes.revealed > 0)
    out += fmt::format("{} appeared, hidden before by what {}fixed\n",
                       plural(fixes.revealed, "error"), fixes.written ? "was " : "would be ");
  if (fixes.unsafeLeft > 0)
    out +=
        fmt::format("{} could be fixed with --unsafe\n", plural(fixes.unsafeLeft, "more finding"));
  if (fixes.choicesLeft > 0)
    out += fmt::format("{} could be fixed in several ways with different meanings; choose one\n",
                       plural(fixes.choicesLeft, "more finding"));
  for (const ClosedFile& each : fixes.closed)
    out += fmt::format("{} could be fixed in {}; pass it as well\n",
                       plural(each.findings, "more finding"),
                       utf8::printable(sources.get(each.file).name));
  if (fixes.stopped)
    out += fmt::format("{} at the limit of attempts; there may be more to fix, so run it again\n",
                       fixes.written ? "stopped" : "would stop");
  for (const Diagnostic& each : fixes.left)
    out += fmt::format("{} {}: {}\n",
                       paint(PaintStyle::Note, fmt::format("would stay[{}]", info(each.code).id)),
                       shownPlace(sources, each.span), utf8::printable(each.message));
  return out.empty() ? out : out + "\n";
}

} // namespace tikc::diag
