#include "gate/Forms.h"

#include "explain/Escape.h"
#include "support/Columns.h"
#include "support/Utf8.h"

#include <fmt/format.h>

/// The forms for people: text, and Markdown for a pull request.
namespace tikc::gate {
namespace {

std::string heading(const GateReport& of) {
  const plan::Plan& plan = of.asked.subject.plan;
  std::string out = plan.contract + " " + plan.version;
  if (!plan.build.empty())
    out += ", build " + plan.build;
  return out;
}

std::string_view colourOf(GateOutcome of) {
  return of == GateOutcome::Promote    ? "\x1b[32m"
         : of == GateOutcome::RollBack ? "\x1b[31m"
                                       : "\x1b[33m";
}

std::string lines(const std::vector<std::string>& all, std::string_view before) {
  std::string out;
  for (const std::string& each : all)
    out += std::string(before) + utf8::printable(each) + "\n";
  return out;
}

} // namespace

std::string figureText(const GateRow& row) {
  std::string out = row.value ? fmt::format("{:.4g}", *row.value) : std::string();
  if (row.low && row.high && (*row.low != *row.value || *row.high != *row.value))
    out += fmt::format(" in [{:.4g}, {:.4g}]", *row.low, *row.high);
  if (row.bound)
    out += fmt::format(", against {:.4g}{}", *row.bound, row.unit.empty() ? "" : " " + row.unit);
  return out;
}

std::string outcomeText(const GateReport& of) {
  std::string out(name(of.outcome));
  switch (of.outcome) {
  case GateOutcome::Promote:
    out += of.goesTo.empty() ? fmt::format(": {} is passed, the last stage", of.asked.stage)
                             : fmt::format(" from {} to {}", of.asked.stage, of.goesTo);
    break;
  case GateOutcome::Hold:
    out += " at " + of.asked.stage;
    break;
  case GateOutcome::RollBack:
    out += of.goesTo == of.asked.stage ? fmt::format(": {} begins again", of.asked.stage)
                                       : fmt::format(" from {} to {}", of.asked.stage, of.goesTo);
    break;
  }
  if (of.repeats)
    out += ", as decided before for this evidence";
  return out;
}

std::string reasonText(const Reason& of) {
  std::string out;
  if (!of.clause.empty())
    out = of.clause + (of.slice.empty() || of.slice == "*" ? "" : " on " + of.slice) + ": ";
  out += std::string(info(of.id).name);
  return of.text.empty() ? out : out + ": " + of.text;
}

std::vector<std::string> missingLines(const GateReport& of) {
  std::vector<std::string> out;
  for (const Missing& each : of.missing)
    out.push_back(each.what + (each.seconds ? fmt::format(", in {} at the observed rate",
                                                          durationText(*each.seconds))
                                            : ", at an unknown rate"));
  return out;
}

std::vector<std::string> basisLines(const GateReport& of) {
  std::vector<std::string> out;
  std::string came = fmt::format("{} piece{} of evidence, {} responses, {} tokens", of.pieces,
                                 of.pieces == 1 ? "" : "s", of.responses, of.tokens);
  if (of.first && of.last)
    came += fmt::format(", over {}", durationText(*of.last - *of.first));
  out.push_back(std::move(came));
  std::string sure = fmt::format(
      "at a confidence of {:.6g}%, shared among all rows and decisions: each row at {:.6g}%",
      100 * of.confidence, 100 * (1 - of.alpha));
  if (of.attempt > 1)
    sure += fmt::format("; attempt {} of this kernel", of.attempt);
  out.push_back(std::move(sure));
  if (of.asked.terms.shared > 1)
    out.push_back(
        fmt::format("a prompt may have {:.0f} responses, all alike", of.asked.terms.shared));
  return out;
}

std::vector<std::vector<std::string>> rowCells(const GateReport& of) {
  std::vector<std::vector<std::string>> out = {
      {"verdict", "clause", "slice", "value", "says", "n", "of"}};
  out.reserve(of.rows.size() + 1);
  for (const GateRow& row : of.rows)
    out.push_back({name(row.is), row.clause, row.slice, figureText(row), row.says,
                   fmt::format("{}", row.units != 0 ? row.units : row.observations), row.of});
  return out;
}

std::string gateText(const GateReport& of, bool isDry, bool isColoured) {
  std::string out = utf8::printable(heading(of)) + "\n";
  out += lines(basisLines(of), "") + "\n";
  std::vector<std::vector<std::string>> table = rowCells(of);
  for (std::vector<std::string>& row : table)
    for (std::string& cell : row)
      cell = utf8::printable(cell);
  out += inColumns(table) + "\n";
  std::string decided = utf8::printable(outcomeText(of));
  if (isColoured)
    decided = std::string(colourOf(of.outcome)) + decided + "\x1b[0m";
  out += decided + "\n";
  for (const Reason& each : of.reasons)
    out += "  " + utf8::printable(reasonText(each)) + "\n";
  if (!of.missing.empty())
    out += "missing\n" + lines(missingLines(of), "  ");
  if (isDry)
    out += "dry run: nothing was saved\n";
  return out;
}

std::string gateMarkdown(const GateReport& of, bool isDry) {
  using explain::markdown;
  std::string out = fmt::format("## {}\n\n**{}**{}\n\n", markdown(heading(of)),
                                markdown(outcomeText(of)), isDry ? " (dry run)" : "");
  for (const Reason& each : of.reasons)
    out += "- " + markdown(reasonText(each)) + "\n";
  out += of.reasons.empty() ? "" : "\n";
  for (const std::string& each : missingLines(of))
    out += "- missing: " + markdown(each) + "\n";
  out += of.missing.empty() ? "" : "\n";
  for (const std::string& each : basisLines(of))
    out += markdown(each) + "\n";
  out += "\n| verdict | clause | slice | value | says | n | of |\n|---|---|---|---|---|---|---|\n";
  for (const GateRow& row : of.rows)
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n",
                       row.is == verdict::violated ? "**violated**" : name(row.is),
                       markdown(row.clause), markdown(row.slice), markdown(figureText(row)),
                       explain::markdownCode(row.says),
                       row.units != 0 ? row.units : row.observations, markdown(row.of));
  return out;
}

} // namespace tikc::gate
