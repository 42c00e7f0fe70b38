#include "page/Tables.h"

#include "measure/Comparison.h"
#include "page/Panels.h"
#include "page/Section.h"
#include "page/Words.h"
#include "support/Escape.h"
#include "trainers/TrainerFigures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tikc::page {
namespace {

using measure::Row;

constexpr std::string_view allOfIt = "`tikc measure --format=json` shows them";

std::string codeHtml(std::string_view text) { return "<code>" + shown(text) + "</code>"; }

/// On one line.
std::string amountHtml(std::optional<double> value, std::string_view unit) {
  return fmt::format("<span class=\"amount\">{}</span>", escape::html(amountText(value, unit)));
}

std::string windowCell(const Row& row) { return escape::html(measure::windowsText(row)); }

/// A clause of several comparisons has a line for each.
class Matrix {
public:
  explicit Matrix(const measure::MeasuredContract& contract) : checks_(inOrder(contract)) {
    for (const CheckRows& each : checks_)
      for (const Row* row : each.rows)
        if (std::find(slices_.begin(), slices_.end(), row->slice) == slices_.end())
          slices_.push_back(row->slice);
  }

  std::string html() const {
    constexpr std::size_t mostSlices = 12;
    const std::size_t drawn = std::min(slices_.size(), mostSlices);
    std::string head = "<th scope=\"col\">clause</th>";
    for (std::size_t i = 0; i < drawn; ++i)
      head += fmt::format("<th scope=\"col\">{}</th>",
                          slices_[i] == "*" ? "all slices" : shown(slices_[i], 40));
    Portion lines(room::matrix);
    for (const CheckRows& each : checks_)
      lines.add(lineOf(each, drawn));
    return fmt::format("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Verdicts "
                       "of clauses "
                       "on slices\"><table class=\"matrix\">\n<caption>Verdicts of clauses on "
                       "slices</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</"
                       "table></div>\n",
                       head, lines.text()) +
           leftOutHtml(slices_.size() - drawn, "slices", "the values below are of all") +
           leftOutHtml(lines.leftOut(), "comparisons", allOfIt);
  }

private:
  static std::vector<CheckRows> inOrder(const measure::MeasuredContract& contract) {
    std::vector<CheckRows> out = checksOf(contract);
    std::sort(out.begin(), out.end(), [](const CheckRows& a, const CheckRows& b) {
      return a.rows.front() < b.rows.front();
    });
    return out;
  }

  std::string lineOf(const CheckRows& check, std::size_t drawn) const {
    std::string out =
        fmt::format("<tr><th scope=\"row\">{}<br>{}</th>", shown(check.rows.front()->clause, 60),
                    codeHtml(check.rows.front()->says));
    for (std::size_t i = 0; i < drawn; ++i) {
      const auto row = std::find_if(check.rows.begin(), check.rows.end(),
                                    [&](const Row* each) { return each->slice == slices_[i]; });
      out += row == check.rows.end()
                 ? "<td class=\"unasked\">not asked</td>"
                 : fmt::format("<td class=\"{}\">{}<br><span class=\"value\">{}</span></td>",
                               name((*row)->outcome), markHtml((*row)->outcome),
                               escape::html(amountText((*row)->value, (*row)->unit)));
    }
    return out + "</tr>\n";
  }

  std::vector<CheckRows> checks_;
  std::vector<std::string> slices_;
};

std::string stateHtml(std::string_view state) {
  const bool isGood = state == "held" || state == "shown";
  const bool isBad = state == "broken" || state == "suspended" || state == "withdrawn";
  return markHtml(isGood  ? verdict::satisfied
                  : isBad ? verdict::violated
                          : verdict::undecided,
                  state);
}

} // namespace

std::string markHtml(std::string_view tone, std::string_view sign, std::string_view word) {
  return fmt::format("<span class=\"mark {}\"><span aria-hidden=\"true\">{}</span> {}</span>", tone,
                     sign, escape::html(word));
}

std::string markHtml(verdict tone, std::string_view word) {
  return markHtml(name(tone), signOf(tone), word);
}

std::string markHtml(verdict value) { return markHtml(value, name(value)); }

std::string matrixSection(const PageContent& content) {
  if (content.contract.rows.empty())
    return {};
  return sectionHtml("verdicts", "Verdicts", "", Matrix(content.contract).html());
}

/// The names under which trainers log a clause's value, separated by commas.
std::string loggedNames(const Row& row) {
  const std::size_t end = row.says.find_first_of("<>=");
  std::string_view measure = std::string_view(row.says).substr(0, end);
  measure = measure.substr(0, measure.find_last_not_of(' ') + 1);
  return trainers::loggedAsMeasure(measure);
}

std::string clauseCell(const Row& row) {
  return fmt::format("{}<br>{}", shown(row.clause, 60), codeHtml(row.says));
}

std::string loggedTable(const std::vector<Row>& rows) {
  HtmlTable table("The names of these values in trainers' logs", {"clause", "name in logs"},
                  room::names);
  std::set<std::string_view> told;
  for (const Row& row : rows)
    if (const std::string names = loggedNames(row); !names.empty() && told.insert(row.says).second)
      table.add({clauseCell(row), shown(names, 400)});
  return table.isEmpty() ? std::string()
                         : "<p>Trainers log these values under other names:</p>\n" + table.html();
}

std::string valueSection(const PageContent& content) {
  std::vector<const Row*> rows;
  rows.reserve(content.contract.rows.size());
  for (const Row& row : content.contract.rows)
    rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
    return orderOf(a->outcome) < orderOf(b->outcome);
  });
  HtmlTable table("Values, bounds and what would change each verdict",
                  {"clause", "slice", "verdict", "value", "where it lies", "bound", "n", "windows",
                   "what would change it"},
                  room::values);
  for (const Row* row : rows)
    table.add({clauseCell(*row), row->slice == "*" ? "all slices" : shown(row->slice, 60),
               markHtml(row->outcome), amountHtml(row->value, row->unit),
               escape::html(intervalText(*row)), amountHtml(row->bound, row->unit),
               data::grouped(row->observations), windowCell(*row),
               shown(changeText(*row, content.contract.subject.plan.checks[row->check]), 400)});
  return sectionHtml("values", "Values and changes",
                     "The value is of the window with the least room to its bound; its interval "
                     "follows from the clause's confidence or its sketch.",
                     table.isEmpty()
                         ? "<p>Nothing was judged.</p>\n"
                         : table.html() + leftOutHtml(table.leftOut(), "rows", allOfIt) +
                               loggedTable(content.contract.rows));
}

std::string claimSection(const PageContent& content) {
  if (content.contract.claims.empty())
    return {};
  HtmlTable table("Claims as promised, and at the measured point",
                  {"claim", "as promised", "state", "at the measured point", "why"}, room::claims);
  for (const measure::ClaimRow& row : content.contract.claims)
    table.add({shown(row.claim, 60), codeHtml(row.says), stateHtml(name(row.state)),
               shown(measure::observedText(row), 400), shown(measure::reasonText(row), 400)});
  return sectionHtml(
      "claims", "Claims",
      "As promised: what follows from the contract for all kernels that satisfy it. At the "
      "measured point: what would follow if nothing drifted further than in these data.",
      table.html() + leftOutHtml(table.leftOut(), "claims", allOfIt));
}

std::string assumptionSection(const PageContent& content) {
  HtmlTable table("The contract's assumptions",
                  {"assumption", "state", "seen", "n", "out of range", "claims that rest on it"},
                  room::assumptions);
  for (const measure::AssumptionRow& row : content.contract.assumptions) {
    std::string claims;
    for (const std::string& each : row.claims)
      claims += (claims.empty() ? "" : ", ") + each;
    std::string outside = measure::offenceText(row);
    if (row.outside)
      outside += fmt::format("{}at most {} of them, with 95% confidence",
                             outside.empty() ? "" : "; ", amountText(*row.outside * 100, "%"));
    table.add({codeHtml(row.says), stateHtml(name(row.state)), shown(measure::spanText(row)),
               data::grouped(row.observations), shown(outside, 300), shown(claims, 300)});
  }
  if (table.isEmpty())
    return {};
  return sectionHtml("assumptions", "Assumptions", "",
                     table.html() + leftOutHtml(table.leftOut(), "assumptions", allOfIt));
}

std::string offenderSection(const PageContent& content) {
  HtmlTable table("Outliers, and where they are",
                  {"clause", "slice", "verdict", "value", "bound", "where"}, room::offenders);
  std::vector<const Row*> rows;
  for (const Row& row : content.contract.rows)
    if (!row.worst.empty())
      rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
    return orderOf(a->outcome) < orderOf(b->outcome);
  });
  for (const Row* row : rows)
    for (const measure::Offender& each : row->worst)
      table.add({shown(row->clause, 60), row->slice == "*" ? "all slices" : shown(row->slice, 60),
                 markHtml(row->outcome), amountHtml(each.value, row->unit),
                 amountHtml(row->bound, row->unit), shown(each.place, 200)});
  if (table.isEmpty())
    return {};
  return sectionHtml("offenders", "Outliers", "",
                     table.html() + leftOutHtml(table.leftOut(), "observations", allOfIt));
}

std::string ruleSection(const PageContent& content) {
  const std::vector<std::string> lines = measure::activationLines(content.contract);
  if (lines.empty())
    return {};
  const std::string more = measure::leftOutActivations(content.contract);
  Portion items(room::rules);
  for (const std::string& line : lines)
    items.add("<li>" + shown(line, 300) + "</li>\n");
  return sectionHtml(
      "rules", "Rules", "What rules would have done if these data had been served.",
      fmt::format("<ul>\n{}</ul>\n", items.text()) +
          leftOutHtml(items.leftOut(), "changes", allOfIt) +
          (more.empty() ? more : fmt::format("<p class=\"left-out\">{}.</p>\n", more)));
}

std::string comparisonSection(const PageContent& content) {
  const measure::MeasuredContract& contract = content.contract;
  if (contract.against == nullptr)
    return {};
  HtmlTable table("Values of both measurements",
                  {"clause", "slice", "difference", "value", "where it lies", "value there",
                   "where it lies there", "n", "n there"},
                  room::comparison);
  const std::vector<measure::ComparedRow> rows = measure::comparedRows(contract);
  std::vector<const measure::ComparedRow*> sorted;
  sorted.reserve(rows.size());
  for (const measure::ComparedRow& each : rows)
    sorted.push_back(&each);
  // What differs comes first, and what cannot be compared last.
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->difference < b->difference; });
  for (const measure::ComparedRow* row : sorted) {
    const measure::ComparedRow& each = *row;
    table.add(
        {clauseCell(each.row), each.row.slice == "*" ? "all slices" : shown(each.row.slice, 60),
         std::string(measure::name(each.difference)), amountHtml(each.here.value, each.row.unit),
         escape::html(intervalText(each.here.low, each.here.high, each.row.unit)),
         amountHtml(each.there.value, each.row.unit),
         escape::html(intervalText(each.there.low, each.there.high, each.row.unit)),
         data::grouped(each.here.observations), data::grouped(each.there.observations)});
  }
  std::string others;
  for (const std::string& each : measure::cautionLines(*contract.against))
    others += "<li>" + shown(each, 300) + "</li>\n";
  return sectionHtml(
      "comparison", "Comparison", measure::differenceNote(),
      fmt::format("<p>Against {}: {}</p>\n{}", shown(contract.againstName, 300),
                  markHtml(verdictNamed(contract.against->outcome()), contract.against->outcome()),
                  others.empty() ? others : "<ul>\n" + others + "</ul>\n") +
          (table.isEmpty() ? std::string() : table.html()) +
          leftOutHtml(table.leftOut(), "rows", allOfIt));
}

std::string provenanceSection(const Provenance& provenance) {
  Portion items(room::provenance);
  for (const auto& [what, which] : provenance)
    items.add(
        fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", shown(what, 80), shown(which, 1000)));
  return sectionHtml(
      "provenance", "Provenance", "",
      fmt::format("<dl>\n{}</dl>\n", items.text()) +
          leftOutHtml(items.leftOut(), "lines", "`tikc measure` and its evidence list them"));
}

} // namespace tikc::page
