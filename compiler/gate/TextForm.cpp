#include "gate/Forms.h"

#include "support/Columns.h"
#include "support/Escape.h"
#include "support/Utf8.h"

#include <fmt/format.h>

/// The forms for people: text, and Markdown for a pull request.
namespace tikc::gate {
namespace {

std::string heading(const GateReport& report) {
  const plan::Plan& plan = report.request.subject.plan;
  std::string out = plan.contract + " " + plan.version;
  if (!plan.build.empty())
    out += ", build " + plan.build;
  return out;
}

std::string_view colourOf(GateOutcome outcome) {
  return outcome == GateOutcome::Promote    ? "\x1b[32m"
         : outcome == GateOutcome::RollBack ? "\x1b[31m"
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
  const auto number = [&](double value) {
    return row.isShare       ? fmt::format("{:.4g}%", 100 * value)
           : row.unit == "%" ? fmt::format("{:.4g}%", value)
                             : fmt::format("{:.4g}", value);
  };
  std::string out = row.value ? number(*row.value) : std::string();
  if (row.value && row.isShare)
    out += " beyond";
  if (row.low && row.high && (*row.low != *row.value || *row.high != *row.value))
    out += fmt::format(" in [{}, {}]", number(*row.low), number(*row.high));
  if (row.bound)
    out += fmt::format(", against {}{}", number(*row.bound),
                       row.unit.empty() || row.unit == "%" ? "" : " " + row.unit);
  return out;
}

std::string outcomeText(const GateReport& report) {
  std::string out(name(report.outcome));
  switch (report.outcome) {
  case GateOutcome::Promote:
    out += report.goesTo.empty()
               ? fmt::format(": {} is passed, the last stage", report.request.stage)
               : fmt::format(" from {} to {}", report.request.stage, report.goesTo);
    break;
  case GateOutcome::Hold:
    out += " at " + report.request.stage;
    break;
  case GateOutcome::RollBack:
    out += report.goesTo == report.request.stage
               ? fmt::format(": {} begins again", report.request.stage)
               : fmt::format(" from {} to {}", report.request.stage, report.goesTo);
    break;
  }
  if (report.repeats)
    out += ", as decided before for this evidence";
  return out;
}

std::string reasonText(const Reason& reason) {
  std::string out;
  if (!reason.clause.empty())
    out = reason.clause +
          (reason.slice.empty() || reason.slice == "*" ? "" : " on " + reason.slice) + ": ";
  out += std::string(info(reason.id).name);
  return reason.text.empty() ? out : out + ": " + reason.text;
}

std::vector<std::string> missingLines(const GateReport& report) {
  std::vector<std::string> out;
  for (const Missing& each : report.missing)
    out.push_back(each.what + (each.seconds ? fmt::format(", in {} at the observed rate",
                                                          durationText(*each.seconds))
                                            : ", at an unknown rate"));
  return out;
}

std::vector<std::string> basisLines(const GateReport& report) {
  std::vector<std::string> out;
  std::string came = fmt::format("{} piece{} of evidence, {} responses, {} tokens", report.pieces,
                                 report.pieces == 1 ? "" : "s", report.responses, report.tokens);
  if (report.first && report.last)
    came += fmt::format(", over {}", durationText(*report.last - *report.first));
  out.push_back(std::move(came));
  std::string sure = fmt::format(
      "at a confidence of {:.6g}%, shared among all rows and decisions: each row at {:.6g}%",
      100 * report.confidence, 100 * (1 - report.alpha));
  if (report.attempt > 1)
    sure += fmt::format("; attempt {} of this kernel", report.attempt);
  out.push_back(std::move(sure));
  if (report.request.terms.shared > 1)
    out.push_back(
        fmt::format("a prompt may have {:.0f} responses, all alike", report.request.terms.shared));
  return out;
}

std::vector<std::vector<std::string>> rowCells(const GateReport& report) {
  std::vector<std::vector<std::string>> out = {
      {"verdict", "clause", "slice", "value", "says", "n", "of"}};
  out.reserve(report.rows.size() + 1);
  for (const GateRow& row : report.rows)
    out.push_back({name(row.outcome), row.clause, row.slice, figureText(row), row.says,
                   fmt::format("{}", row.units != 0 ? row.units : row.observations), row.basis});
  return out;
}

std::string gateText(const GateReport& report, bool isDry, bool isColoured) {
  std::string out = utf8::printable(heading(report)) + "\n";
  out += lines(basisLines(report), "") + "\n";
  std::vector<std::vector<std::string>> table = rowCells(report);
  for (std::vector<std::string>& row : table)
    for (std::string& cell : row)
      cell = utf8::printable(cell);
  out += inColumns(table) + "\n";
  std::string decided = utf8::printable(outcomeText(report));
  if (isColoured)
    decided = std::string(colourOf(report.outcome)) + decided + "\x1b[0m";
  out += decided + "\n";
  std::string notes;
  for (const Reason& each : report.reasons)
    (info(each.id).effect == ReasonEffect::Note ? notes : out) +=
        "  " + utf8::printable(reasonText(each)) + "\n";
  if (!notes.empty())
    out += "noted\n" + notes;
  if (!report.missing.empty())
    out += "missing\n" + lines(missingLines(report), "  ");
  if (isDry)
    out += "dry run: nothing was saved\n";
  return out;
}

std::string gateMarkdown(const GateReport& report, bool isDry) {
  std::string out = fmt::format("## {}\n\n**{}**{}\n\n", escape::markdown(heading(report)),
                                escape::markdown(outcomeText(report)), isDry ? " (dry run)" : "");
  for (const Reason& each : report.reasons)
    out += fmt::format("- {}{}\n", info(each.id).effect == ReasonEffect::Note ? "noted: " : "",
                       escape::markdown(reasonText(each)));
  out += report.reasons.empty() ? "" : "\n";
  for (const std::string& each : missingLines(report))
    out += "- missing: " + escape::markdown(each) + "\n";
  out += report.missing.empty() ? "" : "\n";
  for (const std::string& each : basisLines(report))
    out += escape::markdown(each) + "\n";
  out += "\n| verdict | clause | slice | value | says | n | of |\n|---|---|---|---|---|---|---|\n";
  for (const GateRow& row : report.rows)
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n",
                       row.outcome == verdict::violated ? "**violated**" : name(row.outcome),
                       escape::markdown(row.clause), escape::markdown(row.slice),
                       escape::markdown(figureText(row)), escape::markdownCode(row.says),
                       row.units != 0 ? row.units : row.observations, escape::markdown(row.basis));
  return out;
}

} // namespace tikc::gate
