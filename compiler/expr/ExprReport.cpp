#include "expr/ExprReport.h"

namespace tikc::expr {
namespace {

bool isQuoted(yaml::Style style) {
  return style == yaml::Style::SingleQuoted || style == yaml::Style::DoubleQuoted;
}

} // namespace

ExprPlace::ExprPlace(const SourceManager& sources, const yaml::Node& scalar)
    : sources_(sources), scalar_(scalar) {
  std::string_view raw = sources.text(scalar.span);
  std::uint32_t quote = isQuoted(scalar.style) ? 1 : 0;
  if (raw.size() == scalar.value.size() + 2 * quote &&
      raw.substr(quote, scalar.value.size()) == scalar.value)
    offset_ = scalar.span.begin + quote;
}

Span ExprPlace::span(std::uint32_t begin, std::uint32_t end) const {
  if (offset_)
    return {scalar_.span.file, *offset_ + begin, *offset_ + end};
  if (!map_)
    map_ = yaml::scalarMap(sources_.get(scalar_.span.file), scalar_);
  return map_->map(scalar_.span.file, begin, end);
}

void ExprReport::fix(diag::Diagnostic& finding, std::string title,
                     const std::vector<ExprEdit>& edits, bool safe) {
  if (place_.scalar().style == yaml::Style::Empty)
    return;
  std::vector<diag::Edit> raw;
  for (const ExprEdit& edit : edits) {
    Span span = place_.span(edit.begin, edit.end);
    // The indentation after a line break goes with it.
    if (edit.end > edit.begin && expr_.text[edit.end - 1] == '\n')
      span.end = place_.span(edit.end, edit.end).begin;
    raw.push_back({span, edit.text});
  }
  if (safe)
    finding.fix(std::move(title), std::move(raw));
  else
    finding.unsafeFix(std::move(title), std::move(raw));
}

void ExprReport::fixIfItReads(diag::Diagnostic& finding, std::string title,
                              const std::vector<ExprEdit>& edits, bool safe) {
  std::string text;
  std::uint32_t done = 0;
  for (const ExprEdit& edit : edits) {
    text += expr_.text.substr(done, edit.begin - done);
    text += edit.text;
    done = edit.end;
  }
  text += expr_.text.substr(done);
  if (reads_(text))
    fix(finding, std::move(title), edits, safe);
}

} // namespace tikc::expr
