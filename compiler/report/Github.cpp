#include "report/Forms.h"
#include "report/Parts.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <iterator>

namespace tikc::report {
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

std::string formGithub(const Report& report, const RenderOptions&) {
  std::string out;
  for (const Diagnostic& d : report.diagnostics) {
    Position begin = report.sources.position(d.span.file, d.span.begin);
    Position end = report.sources.position(d.span.file, d.span.end);
    const CodeInfo& row = info(d.code);
    // The runner drops the columns of an annotation of several lines, with a warning of its own.
    std::string columns = begin.line == end.line
                              ? fmt::format(",col={},endColumn={}", begin.column, end.column)
                              : std::string();
    fmt::format_to(std::back_inserter(out), "::{} file={},line={},endLine={}{},title={}::{}\n",
                   severityWord(githubWords, d.severity),
                   asProperty(utf8::printable(normalPath(report.sources.get(d.span.file)))),
                   begin.line, end.line, columns,
                   asProperty(fmt::format("tikc {} {}", row.id, row.name)),
                   asData(plainMessage(d)));
  }
  return out;
}

} // namespace tikc::report
