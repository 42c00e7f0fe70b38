#include "diag/render/DrawnLine.h"
#include "diag/render/EditPreview.h"
#include "diag/render/Forms.h"
#include "diag/render/Paint.h"
#include "diag/render/Parts.h"
#include "diag/render/Snippet.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tikc::diag {
namespace rendering {
namespace {

using Preview = std::optional<std::vector<ChangedLine>>;

Style styleOf(Severity severity) {
  return severity == Severity::Error     ? Style::Error
         : severity == Severity::Warning ? Style::Warning
                                         : Style::Note;
}

std::string shownPlace(const SourceManager& sources, const Span& span) {
  Position at = sources.position(span.file, span.begin);
  return fmt::format("{}:{}:{}", utf8::printable(sources.get(span.file).name), at.line, at.column);
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Draws one finding.
class Drawing {
public:
  Drawing(const SourceManager& sources, const Diagnostic& diagnostic, const RenderOptions& options)
      : sources_(sources), d_(diagnostic), paint_(options.color),
        previews_(previewsOf(sources, diagnostic)), digits_(digits()), frame_(digits_, paint_) {
    std::size_t framed = digits_ + std::string_view(" | ").size();
    width_ = std::max<std::size_t>(options.width, framed + 20) - framed;
  }

  std::string draw() {
    out_ += paint_(styleOf(d_.severity),
                   fmt::format("{}[{}]", severityName(d_.severity), info(d_.code).id));
    out_ += paint_(Style::Strong, ": " + utf8::printable(d_.message)) + '\n';
    place("-->", {d_.span, d_.label, styleOf(d_.severity), '^'});
    for (const Related& related : d_.related) {
      frame_.bare(out_);
      place(":::", {related.span, related.message, Style::Frame, '-'});
    }
    if (!d_.notes.empty() || !d_.fixes.empty())
      frame_.bare(out_);
    for (const std::string& note : d_.notes)
      remark(Style::Strong, "note", note);
    for (std::size_t i = 0; i < d_.fixes.size(); ++i)
      fix(d_.fixes[i], previews_[i], i + 1 < d_.fixes.size());
    return std::move(out_);
  }

private:
  static std::vector<Preview> previewsOf(const SourceManager& sources,
                                         const Diagnostic& diagnostic) {
    std::vector<Preview> previews;
    for (const Fix& fix : diagnostic.fixes)
      previews.push_back(previewEdits(sources, fix.edits));
    return previews;
  }

  std::size_t digits() const {
    std::uint32_t largest = lastLine(sources_, d_.span);
    for (const Related& related : d_.related)
      largest = std::max(largest, lastLine(sources_, related.span));
    for (const Preview& preview : previews_)
      if (preview)
        for (const ChangedLine& line : *preview)
          largest = std::max(largest, line.line);
    return std::to_string(largest).size();
  }

  void arrow(std::string_view mark, const std::string& where) {
    out_ += frame_.indent() + paint_(Style::Frame, mark) + " " + where + '\n';
  }

  void place(std::string_view mark, const Place& place) {
    arrow(mark, shownPlace(sources_, place.span));
    frame_.bare(out_);
    drawPlace(out_, sources_, place, frame_, paint_, width_);
  }

  void remark(Style style, std::string_view kind, std::string_view text) {
    out_ += frame_.indent() + paint_(Style::Frame, " =") + " " +
            paint_(style, fmt::format("{}:", kind)) + " " + utf8::printable(text) + '\n';
  }

  void fix(const Fix& fix, const Preview& preview, bool more) {
    remark(Style::Help, "help",
           fix.title + (fix.safe ? "" : " (this may change what the contract means)"));
    if (!preview)
      return;
    FileId file = d_.span.file;
    for (const ChangedLine& line : *preview) {
      if (line.file != file)
        arrow(":::", utf8::printable(sources_.get(line.file).name));
      file = line.file;
      DrawnLine drawn = drawLine(line.text, line.differsAt, line.differsAt, width_);
      frame_.numbered(out_, line.line, drawn.text, line.added ? '+' : '-',
                      line.added ? Style::Added : Style::Removed);
    }
    if (more)
      frame_.bare(out_);
  }

  const SourceManager& sources_;
  const Diagnostic& d_;
  Painter paint_;
  std::vector<Preview> previews_;
  std::size_t digits_;
  Frame frame_;
  std::size_t width_;
  std::string out_;
};

/// The claims of one contract as a table; of several, how many have which verdict, each claim
/// counted with its worst.
std::string claims(const Report& report, const Painter& paint) {
  auto style = [](const ClaimVerdict& row) {
    return row.verdict == "proved" ? Style::Added : row.isDraft ? Style::Warning : Style::Error;
  };
  if (report.contracts > 1 || report.claims.empty()) {
    std::string out;
    for (const auto& [verdict, count] : report.decided)
      out += fmt::format("{}{} {}", out.empty() ? "claims: " : ", ", count, verdict);
    return out.empty() ? out : out + "\n";
  }
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
                       row.budget, budgets, row.slack.empty() ? "" : "slack " + row.slack) +
           where;
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

std::string summary(const Report& report, const Painter& paint) {
  Counts counts = count(report);
  if (report.diagnostics.empty())
    return fmt::format("{} in {}: no findings{}\n", plural(report.contracts, "contract"),
                       plural(report.checkedFiles.size(), "file"),
                       report.heirs > 0 ? fmt::format(" ({} extend what was named)", report.heirs)
                                        : "");
  std::string text;
  auto add = [&](std::size_t number, std::string_view noun, Style style) {
    if (number > 0)
      text += (text.empty() ? "" : ", ") + paint(style, plural(number, noun));
  };
  add(counts.errors, "error", Style::Error);
  add(counts.warnings, "warning", Style::Warning);
  add(counts.notes, "note", Style::Note);
  return fmt::format(
      "{} in {} ({} checked{})\n", text, plural(counts.files, "file"), report.checkedFiles.size(),
      report.heirs > 0 ? fmt::format(", {} extend what was named", report.heirs) : "");
}

} // namespace

std::string formText(const Report& report, const RenderOptions& options) {
  std::string out;
  for (const Diagnostic& d : report.diagnostics) {
    if (options.quiet && d.severity != Severity::Error)
      continue;
    out += Drawing(report.sources, d, options).draw();
    out += '\n';
  }
  if (options.quiet)
    return out;
  if (report.fixes)
    out = renderFixes(report.sources, *report.fixes, options) + out;
  return out + claims(report, Painter(options.color)) + summary(report, Painter(options.color));
}

} // namespace rendering

std::string renderFixes(const SourceManager& sources, const Fixes& fixes,
                        const RenderOptions& options) {
  using namespace rendering;
  Painter paint(options.color);
  std::set<FileId> files;
  std::string out;
  for (const FixedFinding& each : fixes.fixed) {
    files.insert(each.changed.begin(), each.changed.end());
    std::string elsewhere;
    for (FileId file : each.changed)
      if (file != each.span.file)
        elsewhere += ", in " + utf8::printable(sources.get(file).name);
    out +=
        fmt::format("{} {}: {}{}{}\n",
                    paint(Style::Note, fmt::format("{}[{}]", fixes.written ? "fixed" : "would fix",
                                                   info(each.code).id)),
                    shownPlace(sources, each.span), utf8::printable(each.title), elsewhere,
                    each.safe ? "" : " (unsafe)");
  }
  for (const HeldFix& each : fixes.held)
    out += fmt::format("{} {}: {}: {}\n",
                       paint(Style::Note, fmt::format("not fixed[{}]", info(each.code).id)),
                       shownPlace(sources, each.span), utf8::printable(each.title), each.why);
  if (!fixes.fixed.empty())
    out += fmt::format("{} {}fixed in {}\n", plural(fixes.fixed.size(), "finding"),
                       fixes.written ? "" : "would be ", plural(files.size(), "file"));
  if (fixes.revealed > 0)
    out += fmt::format("{} came to light, hidden before by what {}fixed\n",
                       plural(fixes.revealed, "error"), fixes.written ? "was " : "would be ");
  if (fixes.unsafeLeft > 0)
    out +=
        fmt::format("{} could be fixed with --unsafe\n", plural(fixes.unsafeLeft, "more finding"));
  for (const ClosedFile& each : fixes.closed)
    out += fmt::format("{} could be fixed in {}: name it, too\n",
                       plural(each.findings, "more finding"),
                       utf8::printable(sources.get(each.file).name));
  if (fixes.stopped)
    out += fmt::format("{} at the limit of attempts: there may be more to fix, so run it again\n",
                       fixes.written ? "stopped" : "would stop");
  for (const Diagnostic& each : fixes.left)
    out += fmt::format("{} {}: {}\n",
                       paint(Style::Note, fmt::format("would stay[{}]", info(each.code).id)),
                       shownPlace(sources, each.span), utf8::printable(each.message));
  return out.empty() ? out : out + "\n";
}

std::string renderText(const SourceManager& sources, const Diagnostic& diagnostic,
                       const RenderOptions& options) {
  return rendering::Drawing(sources, diagnostic, options).draw();
}

} // namespace tikc::diag
