#include "measure/Forms.h"

#include "explain/Escape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

/// The forms that are tables of rows: Markdown, CSV, JUnit.
namespace tikc::measure {
namespace {

/// A cell as RFC 4180 has it, which no spreadsheet takes for a formula.
std::string csvCell(std::string_view text) {
  std::string out = "\"";
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    out += '\'';
  for (char each : text)
    out += each == '"' ? std::string("\"\"") : std::string(1, each);
  return out + "\"";
}

std::string csvNumber(std::optional<double> number) {
  return number ? fmt::format("{}", *number) : std::string();
}

} // namespace

std::string measuredMarkdown(const MeasuredContract& of) {
  std::string out = fmt::format("## {}\n\n", explain::markdown(headingText(of)));
  for (const std::string& line : intakeLines(of))
    out += explain::markdown(line) + "\n";
  out += "\n| verdict | clause | slice | value | says | n | windows "
         "|\n|---|---|---|---|---|---|---|\n";
  for (const Row& row : of.rows)
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n",
                       row.is == verdict::violated ? "**violated**" : name(row.is),
                       explain::markdown(row.clause), explain::markdown(row.slice), valueText(row),
                       explain::markdownCode(row.says), data::grouped(row.observations),
                       row.why.empty() ? windowsText(row) : explain::markdown(row.why));
  std::string rules;
  for (const std::string& line : activationLines(of))
    rules += "- " + explain::markdown(line) + "\n";
  return rules.empty() ? out : out + "\n" + rules;
}

std::string measuredCsv(const MeasuredContract& of) {
  std::string out = "contract,version,clause,slice,verdict,value,low,high,bound,unit,observations,"
                    "satisfied,violated,undecided,says,why,others\r\n";
  const std::string others = csvCell(fmt::format("{}", fmt::join(of.others, "; ")));
  for (const Row& row : of.rows)
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
                       csvCell(of.subject.plan.contract), csvCell(of.subject.plan.version),
                       csvCell(row.clause), csvCell(row.slice), name(row.is), csvNumber(row.value),
                       csvNumber(row.low), csvNumber(row.high), csvNumber(row.bound),
                       csvCell(row.unit), row.observations, row.satisfied, row.violated,
                       row.undecided, csvCell(row.says), csvCell(row.why), others);
  return out;
}

std::string measuredJunit(const MeasuredContract& of) {
  std::size_t failures = 0, skipped = 0;
  std::string cases;
  for (const Row& row : of.rows) {
    std::string inner;
    if (row.is == verdict::violated) {
      ++failures;
      inner = fmt::format(
          "<failure message=\"{}\" type=\"violated\"/>",
          explain::html(fmt::format("{}, and the contract says {}", valueText(row), row.says)));
    } else if (row.is == verdict::undecided) {
      ++skipped;
      inner = "<skipped/>";
    }
    cases += fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"0\">{}</testcase>\n",
                         explain::html(row.clause + " on " + row.slice),
                         explain::html(of.subject.plan.contract), inner);
  }
  std::string others;
  for (const std::string& each : of.others)
    others += fmt::format("    <system-out>{}</system-out>\n", explain::html(each));
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites tests=\"{0}\" failures=\"{1}\" errors=\"0\" time=\"0\">\n"
                     "  <testsuite name=\"{2}\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" "
                     "skipped=\"{3}\" time=\"0\">\n{4}{5}  </testsuite>\n</testsuites>\n",
                     of.rows.size(), failures, explain::html(headingText(of)), skipped, cases,
                     others);
}

} // namespace tikc::measure
