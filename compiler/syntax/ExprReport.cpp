#include "syntax/ExprReport.h"

namespace tikc::syntax {
namespace {

bool isQuoted(Style style) { return style == Style::SingleQuoted || style == Style::DoubleQuoted; }

/// Whether a plain scalar may hold the text at this offset without becoming other YAML.
bool fitsPlain(const Node& scalar, std::string_view text, std::uint32_t at) {
  if (scalar.inFlow && text.find_first_of(",[]{}") != std::string_view::npos)
    return false;
  return at > 0 || text.empty() || text.find_first_of("!&*?|>@`\"'%#-:,[]{}=<") != 0;
}

} // namespace

ExprPlace::ExprPlace(const SourceManager& sources, const Node& scalar)
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
    map_ = scalarMap(sources_.get(scalar_.span.file), scalar_);
  return map_->map(scalar_.span.file, begin, end);
}

std::optional<std::string> ExprPlace::encode(std::string_view text, std::uint32_t at) const {
  if (text.find_first_of("\n\r") != std::string_view::npos)
    return std::nullopt;
  switch (scalar_.style) {
  case Style::Plain:
    if (!fitsPlain(scalar_, text, at))
      return std::nullopt;
    break;
  case Style::SingleQuoted:
  case Style::DoubleQuoted: {
    bool isSingle = scalar_.style == Style::SingleQuoted;
    std::string out;
    for (char c : text) {
      if (isSingle ? c == '\'' : c == '"' || c == '\\')
        out += isSingle ? '\'' : '\\';
      out += c;
    }
    return out;
  }
  case Style::Literal:
  case Style::Folded:
    break;
  case Style::Empty:
    return std::nullopt;
  }
  return std::string(text);
}

void ExprReport::fix(diag::Diagnostic& finding, std::string title,
                     const std::vector<ExprEdit>& edits, bool safe) {
  std::vector<diag::Edit> raw;
  for (const ExprEdit& edit : edits) {
    std::optional<std::string> text = place_.encode(edit.text, edit.begin);
    if (!text)
      return;
    Span span = place_.span(edit.begin, edit.end);
    // The indentation after a line break goes with it.
    if (edit.end > edit.begin && expr_.text[edit.end - 1] == '\n')
      span.end = place_.span(edit.end, edit.end).begin;
    raw.push_back({span, std::move(*text)});
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

} // namespace tikc::syntax
