#include "measure/Forms.h"

#include "measure/Comparison.h"
#include "measure/DiagnosisForms.h"
#include "support/Columns.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>

namespace tikc::measure {
namespace {

std::string_view colourOf(verdict outcome) {
  return outcome == verdict::violated    ? "\x1b[31m"
         : outcome == verdict::satisfied ? "\x1b[32m"
                                         : "\x1b[33m";
}

std::string summaryText(const MeasuredContract& contract) {
  std::size_t counts[3] = {};
  for (const Row& row : contract.rows)
    ++counts[row.outcome == verdict::satisfied ? 0 : row.outcome == verdict::violated ? 1 : 2];
  std::string out =
      fmt::format("{} satisfied, {} violated, {} undecided", counts[0], counts[1], counts[2]);
  if (contract.claims.empty())
    return out;
  std::string claims;
  for (claim_state state :
       {claim_state::shown, claim_state::not_shown, claim_state::suspended, claim_state::withdrawn})
    if (const auto count = std::count_if(contract.claims.begin(), contract.claims.end(),
                                         [&](const ClaimRow& row) { return row.state == state; }))
      claims += fmt::format("{}{} {}", claims.empty() ? "" : ", ", count, name(state));
  return fmt::format("{}; claims: {}", out, claims);
}

/// One behind the other, those that are not empty.
std::string parts(std::initializer_list<std::string> each) {
  std::string out;
  for (const std::string& part : each)
    out += part.empty() ? part : "\n" + part;
  return out;
}

/// A rule that comes and goes is told once or twice, and then counted.
constexpr std::size_t mostActivations = 8;

} // namespace

std::string measuredText(const MeasuredContract& contract, bool isQuiet, bool isColoured) {
  std::string out;
  if (!isQuiet) {
    out += headingText(contract) + "\n";
    for (const std::string& line : intakeLines(contract))
      out += line + "\n";
    out += "\n";
  } else {
    for (const std::string& line : cautionLines(contract))
      out += line + "\n";
  }
  std::vector<std::vector<std::string>> table = {
      {"verdict", "clause", "slice", "value", "says", "n", "windows"}};
  for (const Row& row : contract.rows)
    table.push_back({name(row.outcome), row.clause, row.slice, valueText(row), row.says,
                     data::grouped(row.observations), windowsText(row)});
  for (auto& line : table)
    for (std::string& cell : line)
      cell = utf8::printable(cell);
  const std::string lines = inColumns(table);
  std::size_t at = lines.find('\n') + 1;
  out += lines.substr(0, at);
  for (const Row& row : contract.rows) {
    const std::size_t end = lines.find('\n', at) + 1;
    std::string line = lines.substr(at, end - at);
    at = end;
    if (isColoured)
      line.insert(std::string_view(name(row.outcome)).size(), "\x1b[0m")
          .insert(0, colourOf(row.outcome));
    if (isQuiet && row.outcome == verdict::satisfied)
      continue;
    out += line;
    if (!row.why.empty())
      out += "           " + utf8::printable(row.why) + "\n";
    if (row.outcome == verdict::violated)
      for (const Offender& each : row.worst)
        out += fmt::format("           worst: {} at {}\n", numberText(each.value),
                           utf8::printable(each.place));
  }
  out += parts(
      {comparisonText(contract), assumptionTable(contract, isQuiet), claimTable(contract, isQuiet),
       contract.diagnosis && !isQuiet ? diagnosisSummary(*contract.diagnosis) : std::string()});
  if (isQuiet)
    return out;
  const std::vector<std::string> rules = activationLines(contract);
  if (!rules.empty())
    out += "\n";
  for (std::size_t i = 0; i < rules.size() && i < mostActivations; ++i)
    out += utf8::printable(rules[i]) + "\n";
  if (const std::uint64_t count = contract.activations().count(); count > mostActivations)
    out += fmt::format("and {} more rule change{}\n", data::grouped(count - mostActivations),
                       count - mostActivations == 1 ? "" : "s");
  return out + "\n" + summaryText(contract) + "\n";
}

std::vector<std::string> compactLines(const MeasuredContract& contract, std::size_t most) {
  std::vector<const Row*> rows;
  rows.reserve(contract.rows.size());
  for (const Row& row : contract.rows)
    rows.push_back(&row);
  auto rank = [](verdict outcome) {
    return outcome == verdict::violated ? 0 : outcome == verdict::undecided ? 1 : 2;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row* a, const Row* b) { return rank(a->outcome) < rank(b->outcome); });
  std::vector<std::string> out = {summaryText(contract)};
  const std::size_t shown = most < 3 ? 0 : std::min(rows.size(), most - 3);
  std::vector<std::vector<std::string>> table = {
      {"verdict", "clause", "slice", "value", "bound", "n"}};
  for (std::size_t i = 0; i < shown; ++i)
    table.push_back({name(rows[i]->outcome), utf8::printable(rows[i]->clause),
                     utf8::printable(rows[i]->slice), valueText(*rows[i]),
                     numberText(rows[i]->bound), data::grouped(rows[i]->observations)});
  const std::string columns = shown == 0 ? "" : inColumns(table);
  for (llvm::StringRef lines = columns; !lines.empty();) {
    const auto [line, rest] = lines.split('\n');
    out.push_back(line.str());
    lines = rest;
  }
  if (shown < rows.size())
    out.push_back(fmt::format("and {} more", rows.size() - shown));
  return out;
}

} // namespace tikc::measure
