#include "diag/Drawing.h"
#include "diag/drawing/DrawnLine.h"
#include "diag/drawing/EditPreview.h"
#include "diag/drawing/Snippet.h"
#include "support/Paint.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace tikc::diag {
namespace drawing {
namespace {

using Preview = std::optional<std::vector<ChangedLine>>;

PaintStyle styleOf(Severity severity) {
  return severity == Severity::Error     ? PaintStyle::Error
         : severity == Severity::Warning ? PaintStyle::Warning
                                         : PaintStyle::Note;
}

/// Draws one finding.
class Drawing {
public:
  Drawing(const SourceManager& sources, const Diagnostic& diagnostic, const DrawingOptions& options)
      : sources_(sources), d_(diagnostic), paint_(options.color),
        previews_(previewsOf(sources, diagnostic)), digits_(digits()), frame_(digits_, paint_) {
    std::size_t framed = digits_ + std::string_view(" | ").size();
    width_ = std::max<std::size_t>(options.width, framed + 20) - framed;
  }

  std::string draw() {
    out_ += paint_(styleOf(d_.severity),
                   fmt::format("{}[{}]", severityName(d_.severity), info(d_.code).id));
    out_ += paint_(PaintStyle::Strong, ": " + utf8::printable(d_.message)) + '\n';
    place("-->", {d_.span, d_.label, styleOf(d_.severity), '^'});
    for (const RelatedPlace& related : d_.related) {
      frame_.bare(out_);
      place(":::", {related.span, related.message, PaintStyle::Frame, '-'});
    }
    if (!d_.notes.empty() || !d_.fixes.empty())
      frame_.bare(out_);
    for (const std::string& note : d_.notes)
      remark(PaintStyle::Strong, "note", note);
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
    for (const RelatedPlace& related : d_.related)
      largest = std::max(largest, lastLine(sources_, related.span));
    for (const Preview& preview : previews_)
      if (preview)
        for (const ChangedLine& line : *preview)
          largest = std::max(largest, line.line);
    return std::to_string(largest).size();
  }

  void arrow(std::string_view mark, const std::string& where) {
    out_ += frame_.indent() + paint_(PaintStyle::Frame, mark) + " " + where + '\n';
  }

  void place(std::string_view mark, const Underline& place) {
    arrow(mark, shownPlace(sources_, place.span));
    frame_.bare(out_);
    drawPlace(out_, sources_, place, frame_, paint_, width_);
  }

  void remark(PaintStyle style, std::string_view kind, std::string_view text) {
    out_ += frame_.indent() + paint_(PaintStyle::Frame, " =") + " " +
            paint_(style, fmt::format("{}:", kind)) + " " + utf8::printable(text) + '\n';
  }

  void fix(const Fix& fix, const Preview& preview, bool more) {
    remark(PaintStyle::Help, "help",
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
                      line.added ? PaintStyle::Added : PaintStyle::Removed);
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

} // namespace
} // namespace drawing

std::string shownPlace(const SourceManager& sources, const Span& span) {
  Position at = sources.position(span.file, span.begin);
  return fmt::format("{}:{}:{}", utf8::printable(sources.get(span.file).name), at.line, at.column);
}

std::string renderText(const SourceManager& sources, const Diagnostic& diagnostic,
                       const DrawingOptions& options) {
  return drawing::Drawing(sources, diagnostic, options).draw();
}

} // namespace tikc::diag
