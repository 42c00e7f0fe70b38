#include "measure/Forms.h"

#include "explain/Escape.h"
#include "measure/DiagnosisForms.h"

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

std::string caseText(const MeasuredContract& of, std::string_view name, std::string_view inner) {
  return fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"0\">{}</testcase>\n",
                     explain::html(name), explain::html(of.subject.plan.contract), inner);
}

std::string csvLine(const MeasuredContract& of, std::string_view kind, const Row& row,
                    std::string_view state) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n",
                     csvCell(of.subject.plan.contract), csvCell(of.subject.plan.version),
                     csvCell(row.clause), csvCell(row.slice), state, csvNumber(row.value),
                     csvNumber(row.low), csvNumber(row.high), csvNumber(row.bound),
                     csvCell(row.unit), row.observations, row.satisfied, row.violated,
                     row.undecided, csvCell(row.says), csvCell(row.why),
                     csvCell(fmt::format("{}", fmt::join(cautionLines(of), "; "))), kind);
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

std::string assumptionMarkdown(const MeasuredContract& of) {
  std::string out;
  for (const AssumptionRow& row : of.assumptions)
    out += fmt::format("| {} | {} | {} | {} | {} |\n",
                       row.is == assumption_state::broken ? "**broken**" : name(row.is),
                       explain::markdownCode(row.says), spanText(row),
                       data::grouped(row.observations), explain::markdown(offenceText(row)));
  return out.empty()
             ? out
             : "\n| state | assumption | seen | n | out of range |\n|---|---|---|---|---|\n" + out;
}

std::string claimMarkdown(const MeasuredContract& of) {
  std::string out;
  for (const ClaimRow& row : of.claims)
    out += fmt::format("| {} | {} | {} | {} | {} |\n",
                       row.is == claim_state::shown || row.is == claim_state::not_shown
                           ? name(row.is)
                           : fmt::format("**{}**", name(row.is)),
                       explain::markdown(row.claim), explain::markdownCode(row.says),
                       explain::markdown(observedText(row)), explain::markdown(reasonText(row)));
  return out.empty() ? out
                     : "\n| state | claim | says | at the measured point | why |\n"
                       "|---|---|---|---|---|\n" +
                           out;
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
  out += assumptionMarkdown(of) + claimMarkdown(of);
  if (of.diagnosis)
    out += diagnosisMarkdown(*of.diagnosis);
  std::string rules;
  for (const std::string& line : activationLines(of))
    rules += "- " + explain::markdown(line) + "\n";
  if (const std::string more = leftOutActivations(of); !more.empty())
    rules += "- " + more + "\n";
  return rules.empty() ? out : out + "\n" + rules;
}

std::string measuredCsv(const MeasuredContract& of) {
  std::string out = "contract,version,clause,slice,verdict,value,low,high,bound,unit,observations,"
                    "satisfied,violated,undecided,says,why,others,kind\r\n";
  for (const Row& row : of.rows)
    out += csvLine(of, "clause", row, name(row.is));
  for (const AssumptionRow& row : of.assumptions)
    out += csvLine(of, "assumption", asRow(row), name(row.is));
  for (const ClaimRow& row : of.claims)
    out += csvLine(of, "claim", asRow(row), name(row.is));
  return out;
}

std::string measuredJunit(const MeasuredContract& of) {
  std::size_t failures = 0, skipped = 0;
  std::string cases;
  for (const Row& row : of.rows) {
    std::string inner;
    if (row.is == verdict::violated) {
      ++failures;
      std::string places;
      for (const Offender& each : row.worst)
        places += fmt::format("{} at {}\n", numberText(each.value), each.place);
      inner = fmt::format(
          "<failure message=\"{}\" type=\"violated\">{}</failure>",
          explain::html(fmt::format("{}, and the contract says {}", valueText(row), row.says)),
          explain::html(places));
    } else if (row.is == verdict::undecided) {
      ++skipped;
      inner = fmt::format("<skipped message=\"{}\"/>", explain::html(row.why));
    }
    cases += caseText(of, row.clause + " on " + row.slice, inner);
  }
  for (const ClaimRow& row : of.claims) {
    std::string inner;
    if (row.is == claim_state::suspended || row.is == claim_state::refuted) {
      ++failures;
      inner = fmt::format("<failure message=\"{}\" type=\"{}\"/>", explain::html(reasonText(row)),
                          name(row.is));
    } else if (row.is == claim_state::not_shown) {
      ++skipped;
      inner = fmt::format("<skipped message=\"{}\"/>", explain::html(reasonText(row)));
    }
    if (!row.observed.empty())
      inner += fmt::format("<system-out>{}</system-out>",
                           explain::html("at the measured point: " + observedText(row)));
    cases += caseText(of, "claim " + row.claim, inner);
  }
  std::size_t tests = of.rows.size() + of.claims.size();
  if (const std::vector<std::string> settings = settingLines(of); !settings.empty()) {
    ++tests;
    ++skipped;
    cases += caseText(of, "settings of the data",
                      fmt::format("<skipped message=\"{}\"/>",
                                  explain::html(fmt::format("{}", fmt::join(settings, "; ")))));
  }
  std::string others;
  for (const AssumptionRow& row : of.assumptions)
    others += fmt::format(
        "    <system-out>{}</system-out>\n",
        explain::html(fmt::format("{}: {} {}", name(row.is), row.says, offenceText(row))));
  for (const std::string& each : cautionLines(of))
    others += fmt::format("    <system-out>{}</system-out>\n", explain::html(each));
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites tests=\"{0}\" failures=\"{1}\" errors=\"0\" time=\"0\">\n"
                     "  <testsuite name=\"{2}\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" "
                     "skipped=\"{3}\" time=\"0\">\n{4}{5}  </testsuite>\n</testsuites>\n",
                     tests, failures, explain::html(headingText(of)), skipped, cases, others);
}

} // namespace tikc::measure
