#include "diag/report/Forms.h"
#include "diag/report/Parts.h"
#include "support/Utf8.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace tikc::diag {
namespace {

bool allowedInXml(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xFFFE) || c > 0xFFFF;
}

/// Text for an element or a quoted attribute. What XML cannot say in any spelling becomes U+FFFD.
std::string junitEscaped(std::string_view text, bool attribute) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    auto decoded = utf8::decode(text.substr(i));
    std::string_view bytes = text.substr(i, decoded ? decoded->bytes : 1);
    i += bytes.size();
    char c = bytes.front();
    if (!decoded || !allowedInXml(decoded->character))
      out += "\xEF\xBF\xBD";
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"' && attribute)
      out += "&quot;";
    // A reader would turn these into spaces or drop them.
    else if (c == '\r' || (attribute && (c == '\n' || c == '\t')))
      fmt::format_to(std::back_inserter(out), "&#{};", static_cast<int>(c));
    else
      out += bytes;
  }
  return out;
}

std::string attribute(std::string_view text) { return junitEscaped(text, true); }
std::string content(std::string_view text) { return junitEscaped(text, false); }

/// The schema's names are tokens of at least one character.
std::string name(const Source& source) {
  std::string path = normalPath(source);
  return attribute(path.empty() ? "-" : path);
}

std::string place(const SourceManager& sources, const Diagnostic& d) {
  Position at = sources.position(d.span.file, d.span.begin);
  return fmt::format("{}:{}", at.line, at.column);
}

void failedCase(std::string& out, const Report& report, const Diagnostic& d,
                const std::string& file) {
  const CodeInfo& row = info(d.code);
  fmt::format_to(std::back_inserter(out),
                 "    <testcase name=\"{} {} at {}\" classname=\"{}\" time=\"0\">\n"
                 "      <failure message=\"{}\" type=\"{}\">{}</failure>\n"
                 "    </testcase>\n",
                 row.id, row.name, place(report.sources, d), file, attribute(d.message), row.id,
                 content(renderText(report.sources, d)));
}

/// What a suite says of its tests.
struct Cases {
  std::string text;
  std::size_t count = 0, failures = 0;
};

bool isOf(const RanTest& test, const Diagnostic& finding) {
  return finding.span.file == test.place.file && finding.span.begin >= test.place.begin &&
         finding.span.end <= test.place.end;
}

/// Takes what a test found out of the findings: one case, whatever it found.
void addTest(Cases& out, const Report& report, const RanTest& test,
             std::vector<const Diagnostic*>& finding, const std::string& file) {
  auto own = std::stable_partition(finding.begin(), finding.end(),
                                   [&](const Diagnostic* d) { return !isOf(test, *d); });
  std::string told;
  for (auto each = own; each != finding.end(); ++each)
    told += renderText(report.sources, **each) + "\n";
  std::string message = own == finding.end() ? "it fails" : (*own)->message;
  if (auto more = finding.end() - own; more > 1)
    message += fmt::format(" (and {} more)", more - 1);
  std::string_view type = own == finding.end() ? "fails" : info((*own)->code).id;
  finding.erase(own, finding.end());
  ++out.count;
  out.failures += test.isPassed ? 0 : 1;
  std::string inner =
      test.isPassed ? "/>\n"
                    : fmt::format(">\n      <failure message=\"{}\" type=\"{}\">{}</failure>\n"
                                  "    </testcase>\n",
                                  attribute(message), type, content(told));
  fmt::format_to(std::back_inserter(out.text),
                 "    <testcase name=\"{}\" classname=\"{}\" time=\"0\"{}", attribute(test.name),
                 file, inner);
}

void suite(std::string& out, const Report& report, const RenderOptions& options, FileId id,
           std::vector<const Diagnostic*> finding, std::size_t index) {
  std::string file = name(report.sources.get(id));
  Cases cases;
  for (const RanTest& test : report.tests.value_or(std::span<const RanTest>()))
    if (test.place.file == id)
      addTest(cases, report, test, finding, file);
  std::string others;
  for (const Diagnostic* d : finding) {
    if (d->severity >= options.failOn) {
      ++cases.failures;
      ++cases.count;
      failedCase(cases.text, report, *d, file);
    } else {
      others += fmt::format("{}[{}] at {}: {}\n", severityName(d->severity), info(d->code).id,
                            place(report.sources, *d), plainMessage(*d));
    }
  }
  if (cases.count == 0) {
    ++cases.count;
    cases.text =
        fmt::format("    <testcase name=\"tikc check\" classname=\"{}\" time=\"0\"/>\n", file);
  }
  fmt::format_to(
      std::back_inserter(out),
      "  <testsuite id=\"{}\" package=\"tikc\" name=\"{}\" timestamp=\"{:%Y-%m-%dT%H:%M:%S}\" "
      "hostname=\"localhost\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\" time=\"0\">\n"
      "    <properties>\n      <property name=\"tikc.version\" value=\"{}\"/>\n    </properties>\n"
      "{}    <system-out>{}</system-out>\n    <system-err/>\n  </testsuite>\n",
      index, file, fmt::gmtime(static_cast<std::time_t>(options.time)), cases.count, cases.failures,
      attribute(report.version), cases.text, content(others));
}

} // namespace

std::string formJunit(const Report& report, const RenderOptions& options) {
  std::vector<FileId> order(report.checkedFiles.begin(), report.checkedFiles.end());
  std::map<FileId, std::vector<const Diagnostic*>> byFile;
  for (FileId file : order)
    byFile[file];
  for (const Diagnostic& d : report.diagnostics) {
    auto [entry, isNew] = byFile.try_emplace(d.span.file);
    if (isNew)
      order.push_back(d.span.file);
    entry->second.push_back(&d);
  }
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (std::size_t i = 0; i < order.size(); ++i)
    suite(out, report, options, order[i], byFile[order[i]], i);
  return out + "</testsuites>\n";
}

} // namespace tikc::diag
