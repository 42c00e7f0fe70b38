#include "measure/Forms.h"

#include "measure/Comparison.h"
#include "measure/DiagnosisForms.h"
#include "support/Escape.h"
#include "support/Utf8.h"

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

/// Returns text for XML, which has no spelling for control characters; newlines of file names would
/// start lines of their own.
std::string xmlText(std::string_view text) { return escape::html(utf8::printable(text)); }

std::string caseText(const MeasuredContract& contract, std::string_view name,
                     std::string_view inner) {
  return fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"0\">{}</testcase>\n",
                     xmlText(name), xmlText(contract.subject.plan.contract), inner);
}

std::string csvLine(const MeasuredContract& contract, std::string_view kind, const Row& row,
                    std::string_view state) {
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
      csvCell(contract.subject.plan.contract), csvCell(contract.subject.plan.version),
      csvCell(row.clause), csvCell(row.slice), state, csvNumber(row.value), csvNumber(row.low),
      csvNumber(row.high), csvNumber(row.bound), csvCell(row.unit), row.observations, row.satisfied,
      row.violated, row.undecided, csvCell(row.says), csvCell(row.why),
      csvCell(fmt::format("{}", fmt::join(cautionLines(contract), "; "))), kind);
}

/// In the columns of a clause: the value is the one that is furthest out, between what was seen.
Row asRow(const AssumptionRow& from) {
  Row out;
  out.clause = from.key;
  out.slice = "*";
  out.says = from.says;
  if (!from.worst.empty())
    out.value = from.worst.front().value;
  out.low = from.least;
  out.high = from.greatest;
  out.bound = from.high;
  out.observations = from.observations;
  out.why = offenceText(from);
  return out;
}

Row asRow(const ClaimRow& from) {
  Row out;
  out.clause = from.claim;
  out.slice = "*";
  out.says = from.says;
  out.why = reasonText(from);
  if (!from.observed.empty()) {
    const ObservedBound& first = from.observed.front();
    out.value = first.bound;
    out.unit = first.unit;
    out.why += (out.why.empty() ? "" : "; ") + observedText(from);
  }
  return out;
}

std::string assumptionMarkdown(const MeasuredContract& contract) {
  std::string out;
  for (const AssumptionRow& row : contract.assumptions)
    out += fmt::format("| {} | {} | {} | {} | {} |\n",
                       row.state == assumption_state::broken ? "**broken**" : name(row.state),
                       escape::markdownCode(row.says), spanText(row),
                       data::grouped(row.observations), escape::markdown(offenceText(row)));
  return out.empty()
             ? out
             : "\n| state | assumption | seen | n | out of range |\n|---|---|---|---|---|\n" + out;
}

std::string claimMarkdown(const MeasuredContract& contract) {
  std::string out;
  for (const ClaimRow& row : contract.claims)
    out += fmt::format("| {} | {} | {} | {} | {} |\n",
                       row.state == claim_state::shown || row.state == claim_state::not_shown
                           ? name(row.state)
                           : fmt::format("**{}**", name(row.state)),
                       escape::markdown(row.claim), escape::markdownCode(row.says),
                       escape::markdown(observedText(row)), escape::markdown(reasonText(row)));
  return out.empty() ? out
                     : "\n| state | claim | says | bound from the data | why |\n"
                       "|---|---|---|---|---|\n" +
                           out;
}

} // namespace

std::string measuredMarkdown(const MeasuredContract& contract) {
  std::string out = fmt::format("## {}\n\n", escape::markdown(headingText(contract)));
  for (const std::string& line : intakeLines(contract))
    out += escape::markdown(line) + "\n";
  out += "\n| verdict | clause | slice | value | says | n | windows "
         "|\n|---|---|---|---|---|---|---|\n";
  for (const Row& row : contract.rows)
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n",
                       row.outcome == verdict::violated ? "**violated**" : name(row.outcome),
                       escape::markdown(row.clause), escape::markdown(row.slice), valueText(row),
                       escape::markdownCode(row.says), data::grouped(row.observations),
                       row.why.empty() ? windowsText(row) : escape::markdown(row.why));
  out += comparisonMarkdown(contract) + assumptionMarkdown(contract) + claimMarkdown(contract);
  if (contract.diagnosis)
    out += diagnosisMarkdown(*contract.diagnosis);
  std::string rules;
  for (const std::string& line : activationLines(contract))
    rules += "- " + escape::markdown(line) + "\n";
  if (const std::string more = leftOutActivations(contract); !more.empty())
    rules += "- " + more + "\n";
  return rules.empty() ? out : out + "\n" + rules;
}

std::string measuredCsv(const MeasuredContract& contract) {
  std::string out = "contract,version,clause,slice,verdict,value,low,high,bound,unit,observations,"
                    "satisfied,violated,undecided,says,why,others,kind\r\n";
  for (const Row& row : contract.rows)
    out += csvLine(contract, "clause", row, name(row.outcome));
  for (const AssumptionRow& row : contract.assumptions)
    out += csvLine(contract, "assumption", asRow(row), name(row.state));
  for (const ClaimRow& row : contract.claims)
    out += csvLine(contract, "claim", asRow(row), name(row.state));
  return out;
}

std::string measuredJunit(const MeasuredContract& contract) {
  std::size_t failures = 0, skipped = 0;
  std::string cases;
  for (const Row& row : contract.rows) {
    std::string inner;
    if (row.outcome == verdict::violated) {
      ++failures;
      std::string places;
      for (const Offender& each : row.worst)
        places += fmt::format("{} at {}\n", numberText(each.value), xmlText(each.place));
      inner = fmt::format(
          "<failure message=\"{}\" type=\"violated\">{}</failure>",
          xmlText(fmt::format("{}, and the contract says {}", valueText(row), row.says)), places);
    } else if (row.outcome == verdict::undecided) {
      ++skipped;
      inner = fmt::format("<skipped message=\"{}\"/>", xmlText(row.why));
    }
    cases += caseText(contract, row.clause + " on " + row.slice, inner);
  }
  for (const ClaimRow& row : contract.claims) {
    std::string inner;
    if (row.state == claim_state::suspended || row.state == claim_state::withdrawn) {
      ++failures;
      inner = fmt::format("<failure message=\"{}\" type=\"{}\"/>", xmlText(reasonText(row)),
                          name(row.state));
    } else if (row.state == claim_state::not_shown) {
      ++skipped;
      inner = fmt::format("<skipped message=\"{}\"/>", xmlText(reasonText(row)));
    }
    if (!row.observed.empty())
      inner += fmt::format("<system-out>{}</system-out>",
                           xmlText("bound from the data: " + observedText(row)));
    cases += caseText(contract, "claim " + row.claim, inner);
  }
  std::size_t tests = contract.rows.size() + contract.claims.size();
  if (const std::vector<std::string> settings = settingLines(contract); !settings.empty()) {
    ++tests;
    ++skipped;
    cases += caseText(contract, "settings of the data",
                      fmt::format("<skipped message=\"{}\"/>",
                                  xmlText(fmt::format("{}", fmt::join(settings, "; ")))));
  }
  std::string others;
  for (const AssumptionRow& row : contract.assumptions)
    others +=
        fmt::format("    <system-out>{}</system-out>\n",
                    xmlText(fmt::format("{}: {} {}", name(row.state), row.says, offenceText(row))));
  for (const std::string& each : cautionLines(contract))
    others += fmt::format("    <system-out>{}</system-out>\n", xmlText(each));
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites tests=\"{0}\" failures=\"{1}\" errors=\"0\" time=\"0\">\n"
                     "  <testsuite name=\"{2}\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" "
                     "skipped=\"{3}\" time=\"0\">\n{4}{5}  </testsuite>\n</testsuites>\n",
                     tests, failures, xmlText(headingText(contract)), skipped, cases, others);
}

} // namespace tikc::measure
