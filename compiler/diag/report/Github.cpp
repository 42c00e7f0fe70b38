#include "diag/report/Annotation.h"
#include "diag/report/Forms.h"
#include "diag/report/Parts.h"

#include <fmt/format.h>

#include <iterator>

namespace tikc::diag {
namespace {

constexpr SeverityWords githubWords{"error", "warning", "notice"};

std::string githubEscaped(std::string_view text, std::string_view special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) == std::string_view::npos)
      out += c;
    else
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string asData(std::string_view text) { return githubEscaped(text, "%\r\n"); }
std::string asProperty(std::string_view text) { return githubEscaped(text, "%\r\n:,"); }

} // namespace

std::string annotation(const SourceManager& sources, const Annotation& content) {
  if (!content.span.valid())
    return fmt::format("::{} title={}::{}\n", content.level, asProperty(content.title),
                       asData(content.text));
  Position begin = sources.position(content.span.file, content.span.begin);
  Position end = sources.position(content.span.file, content.span.end);
  // The runner drops the columns of an annotation of several lines, with a warning of its own.
  std::string columns = begin.line == end.line
                            ? fmt::format(",col={},endColumn={}", begin.column, end.column)
                            : std::string();
  return fmt::format("::{} file={},line={},endLine={}{},title={}::{}\n", content.level,
                     asProperty(normalPath(sources.get(content.span.file))), begin.line, end.line,
                     columns, asProperty(content.title), asData(content.text));
}

std::string formGithub(const Report& report, const RenderOptions&) {
  std::string out;
  for (const Diagnostic& d : report.diagnostics) {
    const CodeInfo& row = info(d.code);
    out +=
        annotation(report.sources, {severityWord(githubWords, d.severity), d.span,
                                    fmt::format("tikc {} {}", row.id, row.name), plainMessage(d)});
  }
  return out;
}

} // namespace tikc::diag
