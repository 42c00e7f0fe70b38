#include "explain/SolutionFormats.h"

#include "explain/JsonParts.h"
#include "explain/Pictures.h"
#include "explain/Words.h"
#include "support/Escape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::explain {

using bounds::Rounding;

namespace {

std::string measuredAs(const Rational& value, const Reach& reach) {
  return explain::measured(value, reach.notation, Rounding::Down);
}

/// A number of another unit is not to be taken for the declared one's.
std::string extentText(const bounds::Extent& extent, const Reach& reach) {
  if (extent.isFree)
    return "any value";
  return extent.largest ? measuredAs(*extent.largest, reach) : "none";
}

std::string factorText(const Reach& reach) {
  const auto& largest = reach.extent.largest;
  if (!largest || reach.declared == 0)
    return {};
  return bounds::decimal(*largest / reach.declared, 4, Rounding::Down);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += fmt::format(" {:<{}} ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string reachTable(const Solution& solution) {
  std::vector<std::vector<std::string>> rows = {
      {"clause", "says", "declared", "largest", "factor"}};
  for (const Reach& reach : solution.reaches)
    rows.push_back({reach.ground.name, reach.ground.text, measuredAs(reach.declared, reach),
                    explain::reachText(reach), factorText(reach)});
  return table(rows);
}

std::string tradeTable(const Trade& trade) {
  std::vector<std::vector<std::string>> rows = {
      {trade.given.ground.name, "largest " + trade.other.ground.name}};
  for (const auto& row : trade.rows)
    rows.push_back({measuredAs(row.given, trade.given), extentText(row.other, trade.other)});
  return fmt::format("  declared: {} at {}, {} at {}\n\n{}", trade.given.ground.name,
                     measuredAs(trade.given.declared, trade.given), trade.other.ground.name,
                     measuredAs(trade.other.declared, trade.other), table(rows));
}

void jsonTrade(llvm::json::OStream& out, const Trade& trade) {
  out.attributeObject("for", [&] { reach(out, trade.given); });
  out.attributeObject("against", [&] { reach(out, trade.other); });
  out.attributeArray("points", [&] {
    for (const auto& row : trade.rows)
      out.object([&] {
        amount(out, "for", row.given, Rounding::Down);
        if (row.other.largest)
          amount(out, "against", *row.other.largest, Rounding::Down);
        out.attribute("any", row.other.isFree);
      });
  });
}

} // namespace

std::string solutionText(const Solution& solution) {
  std::string out =
      fmt::format("{}: {}{}\n", solution.claim, solution.text,
                  solution.slice.empty() ? "" : fmt::format(" on {}", solution.slice));
  if (!solution.isBounded) {
    out += "  not bounded: no tolerance of any clause can be enough\n";
    for (const std::string& line : solution.missing)
      out += fmt::format("  {}\n", line);
    return out;
  }
  if (solution.isInfeasible)
    return out + "  infeasible at any tolerance: the budget is out of reach even where no clause "
                 "leaves any drift\n";
  out += solution.follows ? "  follows as declared\n" : "  does not follow as declared\n";
  if (solution.trade && solution.trade->rows.empty())
    return out + fmt::format("  no tolerance of these two is enough, the rest as declared: not "
                             "even {0} and {1} at 0\n",
                             solution.trade->given.ground.name, solution.trade->other.ground.name);
  if (solution.trade)
    return out + tradeTable(*solution.trade);
  if (solution.reaches.empty())
    return out + "  it rests on no clause's tolerance\n";
  out += fmt::format("  the largest limits with which it {} follow{}, one changed at a time:\n\n",
                     solution.follows ? "still" : "would", solution.follows ? "s" : "") +
         reachTable(solution);
  if (!solution.others.empty())
    out +=
        fmt::format("\n  not listed, because the bound does not use {}: {}\n",
                    solution.others.size() == 1 ? "it" : "them", fmt::join(solution.others, ", "));
  return out;
}

std::string solutionJson(const Solution& solution) {
  return writeJson([&](llvm::json::OStream& out) {
    out.object([&] {
      out.attribute("format", "tikc-solution/v1");
      jsonText(out, "contract", solution.contract);
      jsonText(out, "claim", solution.claim);
      jsonText(out, "text", solution.text);
      if (!solution.slice.empty())
        jsonText(out, "slice", solution.slice);
      out.attribute("follows", solution.follows);
      out.attribute("bounded", solution.isBounded);
      out.attribute("infeasible", solution.isInfeasible);
      jsonTexts(out, "missing", solution.missing);
      out.attributeArray("largest", [&] {
        for (const Reach& row : solution.reaches)
          out.object([&] { reach(out, row); });
      });
      jsonTexts(out, "others", solution.others);
      if (solution.trade)
        out.attributeObject("trade", [&] { jsonTrade(out, *solution.trade); });
    });
  });
}

std::string solutionSvg(const Solution& solution) {
  explain::Plot plot;
  if (solution.trade) {
    const Trade& trade = *solution.trade;
    plot.across = {trade.given.ground.name, trade.given.notation};
    plot.up = {trade.other.ground.name, trade.other.notation};
    plot.here = {trade.given.declared, trade.other.declared};
    bool anyIsFree = false;
    for (const auto& row : trade.rows) {
      plot.points.push_back({row.given, row.other.largest, row.other.isFree});
      anyIsFree |= row.other.isFree;
    }
    plot.beyondLabel = anyIsFree ? "above the page, or any value" : "above the page";
  }
  std::string described = fmt::format("{}: the largest {} for each {}", solution.claim,
                                      plot.up.title, plot.across.title);
  std::string extra = fmt::format("<title>{}</title>\n<style>{}</style>\n<rect class=\"paper\" "
                                  "width=\"100%\" height=\"100%\"/>",
                                  escape::html(described), explain::pictureStyle());
  return explain::svgElement(explain::drawPlot(plot), described, extra);
}

} // namespace tikc::explain
