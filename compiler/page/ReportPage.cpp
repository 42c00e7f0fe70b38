#include "page/ReportPage.h"

#include "explain/HtmlStyle.h"
#include "measure/DiagnosisForms.h"
#include "page/Chart.h"
#include "page/PageStyle.h"
#include "page/Panels.h"
#include "page/Section.h"
#include "page/Tables.h"
#include "page/Words.h"
#include "support/Escape.h"

#include <fmt/format.h>

namespace tikc::page {
namespace {

constexpr std::string_view everyFigure = "`--figures DIR` writes all of them";

/// As many rows as there is room for. A screen reader reads the label.
std::string tableHtml(const NumberRows& cells, std::string_view label, std::size_t most) {
  std::string head;
  for (const std::string& each : cells.front())
    head += fmt::format("<th scope=\"col\">{}</th>", shown(each));
  Portion rows(most);
  for (std::size_t i = 1; i < cells.size(); ++i) {
    std::string row = "<tr>";
    for (std::size_t j = 0; j < cells[i].size(); ++j)
      row += j == 0 ? fmt::format("<th scope=\"row\">{}</th>", shown(cells[i][j]))
                    : fmt::format("<td>{}</td>", shown(cells[i][j], 300));
    rows.add(row + "</tr>\n");
  }
  return fmt::format(
      "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><table>\n"
      "<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n{}",
      shown(label), head, rows.text(),
      leftOutHtml(rows.leftOut(), "rows", "the command's own output has them"));
}

std::string numbersHtml(const Panel& panel) {
  return panel.numbers.size() < 2
             ? std::string()
             : fmt::format("<details><summary>Its numbers</summary>\n{}</details>\n",
                           tableHtml(panel.numbers, "The numbers of " + panel.id, room::pictures));
}

std::string panelHtml(const Panel& panel, bool isChain) {
  // As small as letters of it can still be read; what is wider is scrolled.
  constexpr double least = 0.72;
  const std::string picture = explain::svgElement(panel.picture, panel.described);
  return fmt::format(
      "<figure id=\"{}\"><figcaption>{}{}</figcaption>\n{}{}</figure>\n", panel.id,
      escape::html(panel.heading),
      panel.note.empty() ? "" : fmt::format("<small>{}</small>", escape::html(panel.note)),
      isChain ? fmt::format("<div class=\"chain\" role=\"region\" tabindex=\"0\" "
                            "aria-label=\"The picture of {}\" style=\"--least: {:.0f}px\">{}</div>",
                            panel.id, panel.picture.width * least, picture)
              : picture,
      numbersHtml(panel));
}

std::string groupSection(const PanelGroup& group) {
  const bool isChain = group.id == "chains";
  Portion panels(room::pictures);
  for (const Panel& each : group.panels)
    panels.add(panelHtml(each, isChain));
  return sectionHtml(
      group.id, group.heading, group.intro,
      fmt::format("<div class=\"panels{}\">\n{}</div>\n", isChain ? " broad" : "", panels.text()) +
          leftOutHtml(panels.leftOut(), "pictures", everyFigure));
}

std::string leadMark(const Lead& lead) {
  const verdict tone = lead.tone == Lead::Tone::Good  ? verdict::satisfied
                       : lead.tone == Lead::Tone::Bad ? verdict::violated
                                                      : verdict::undecided;
  return markHtml(tone, shortened(lead.word));
}

std::string leadSection(const Lead& lead, std::size_t number) {
  Portion lines(room::lead);
  for (const std::string& each : lead.lines)
    lines.add("<li>" + shown(each, 400) + "</li>\n");
  std::string inner = fmt::format("<p class=\"outcome\">{}</p>\n", leadMark(lead));
  if (lines.taken() != 0)
    inner += fmt::format("<ul>\n{}</ul>\n", lines.text());
  inner += leftOutHtml(lines.leftOut(), "lines", "the command's own output has them");
  if (lead.rows.size() > 1)
    inner += tableHtml(lead.rows, lead.heading + ", row by row", room::leadRows);
  return sectionHtml(fmt::format("lead-{}", number), shortened(lead.heading, 80), "", inner);
}

std::string listHtml(std::string_view style, const std::vector<std::string>& lines) {
  Portion items(room::list);
  for (const std::string& each : lines)
    items.add("<li>" + shown(each, 300) + "</li>\n");
  return fmt::format("<ul{}>\n{}</ul>\n{}", style, items.text(),
                     leftOutHtml(items.leftOut(), "lines", "the text form has them"));
}

std::string countsText(const std::vector<measure::Row>& rows) {
  std::size_t counts[3] = {};
  for (const measure::Row& row : rows)
    ++counts[orderOf(row.outcome)];
  return fmt::format("{} violated, {} undecided, {} satisfied", counts[0], counts[1], counts[2]);
}

std::string headerHtml(const PageContent& content) {
  const measure::MeasuredContract& contract = content.contract;
  const plan::Plan& plan = contract.subject.plan;
  const std::string_view outcome = contract.outcome();
  const std::vector<std::string> cautions = measure::cautionLines(contract);
  std::vector<std::string> facts = measure::intakeLines(contract);
  facts.resize(facts.size() - cautions.size()); // these come last
  const bool isDecision = !content.leads.empty();
  std::string out = fmt::format(
      "<header>\n<h1>{} <small>{}</small></h1>\n<p class=\"lead\">{}</p>\n<p class=\"outcome\">{} "
      "{}{}</p>\n",
      shown(plan.contract), shown(plan.version, 60),
      shown(plan::streamName(plan.streams[contract.subject.stream])),
      isDecision ? leadMark(content.leads.front()) : markHtml(verdictNamed(outcome), outcome),
      isDecision ? "windows that were served: " : "", countsText(contract.rows));
  if (!facts.empty())
    out += listHtml(" class=\"facts\"", facts);
  if (!cautions.empty())
    out += "<div class=\"caution\" role=\"note\"><strong>Of less, or of something else, than it "
           "seems:</strong>\n" +
           listHtml("", cautions) + "</div>\n";
  return out;
}

struct PageSection {
  std::string id, heading, html;
};

std::vector<PageSection> sectionsOf(const PageContent& content) {
  std::vector<PageSection> out;
  auto add = [&](std::string_view id, std::string_view heading, std::string html) {
    if (!html.empty())
      out.push_back({std::string(id), std::string(heading), std::move(html)});
  };
  for (std::size_t i = 0; i < content.leads.size() && i < room::leads; ++i)
    add(fmt::format("lead-{}", i + 1), shortened(content.leads[i].heading, 80),
        leadSection(content.leads[i], i + 1));
  add("verdicts", "Verdicts", matrixSection(content));
  add("values", "Values and changes", valueSection(content));
  add("comparison", "Comparison", comparisonSection(content));
  if (content.contract.diagnosis)
    add("diagnosis", "Consistent causes", diagnosisSection(*content.contract.diagnosis));
  std::string chains;
  for (const PanelGroup& each : panelGroups(content))
    if (each.id == "chains")
      chains = groupSection(each);
    else
      add(each.id, each.heading, groupSection(each));
  add("offenders", "Outliers", offenderSection(content));
  add("claims", "Claims", claimSection(content));
  add("chains", "Derivations", std::move(chains));
  add("assumptions", "Assumptions", assumptionSection(content));
  add("rules", "Rules", ruleSection(content));
  add("provenance", "Provenance", provenanceSection(content.provenance));
  return out;
}

/// All numbers for programs, in a block that no browser runs.
std::string dataBlock(std::string_view id, std::string_view json) {
  std::string out = fmt::format("<script type=\"application/json\" id=\"{}\">\n", id);
  for (const char c : json) {
    // Nothing in it ends the block or begins another.
    if (c == '<' || c == '>' || c == '&')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "</script>\n";
}

/// A whole file. `title` and `header` are HTML.
std::string pageHtml(std::string_view title, std::string_view header,
                     const std::vector<PageSection>& parts, std::string_view data) {
  std::string links, sections;
  for (const PageSection& each : parts) {
    links += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", each.id, escape::html(each.heading));
    sections += each.html;
  }
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" "
      "content=\"no-referrer\">\n<title>{}</title>\n<style>{}{}{}{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#main\">To the results</a>\n<main id=\"main\">\n{}"
      "<nav aria-label=\"Parts of this page\">\n<ul>\n{}</ul>\n</nav>\n</header>\n{}",
      title, explain::pageStyle, explain::pictureStyle(), chartStyle(), reportStyle, header, links,
      sections);
  constexpr std::string_view tail = "</main>\n</body>\n</html>\n";
  out +=
      out.size() + data.size() + tail.size() <= room::page
          ? data
          : "<p class=\"left-out\">The page has no room for these numbers as JSON; `--format=json` "
            "has them.</p>\n";
  return out + std::string(tail);
}

std::vector<FigureFile> filesOf(const std::vector<PanelGroup>& groups) {
  std::vector<FigureFile> out;
  for (const PanelGroup& group : groups)
    for (const Panel& each : group.panels) {
      const std::string extra = fmt::format(
          "<title>{}</title>\n<style>{}{}</style>\n<rect class=\"paper\" width=\"100%\" "
          "height=\"100%\"/>",
          escape::html(each.heading), explain::pictureStyle(), chartStyle());
      out.push_back({each.id + ".svg", explain::svgElement(each.picture, each.described, extra)});
    }
  return out;
}

} // namespace

std::string reportPage(const PageContent& content) {
  return pageHtml(fmt::format("{}: {}", shown(content.contract.subject.plan.contract, 80),
                              content.contract.outcome()),
                  headerHtml(content), sectionsOf(content),
                  dataBlock("measurement", measure::measuredJson(content.contract)));
}

std::string diagnosisPage(const DiagnosisContent& content) {
  const data::Diagnosis& diagnosis = content.diagnosis;
  std::vector<PageSection> parts = {
      {"diagnosis", "Consistent causes", diagnosisSection(diagnosis)}};
  if (const PanelGroup group = signPanels(content.signs, content.signs.responses, nullptr);
      !group.panels.empty())
    parts.push_back({group.id, group.heading, groupSection(group)});
  parts.push_back({"provenance", "Provenance", provenanceSection(content.provenance)});
  const std::string_view word = data::name(diagnosis.state);
  // A cause is named and not proved, so it has no verdict's colour.
  const std::string mark = diagnosis.state == data::DiagnosisState::none
                               ? markHtml(verdict::satisfied, word)
                               : markHtml("undecided", "!", word);
  return pageHtml(fmt::format("Diagnosis: {}", word),
                  fmt::format("<header>\n<h1>Diagnosis</h1>\n<p class=\"lead\">{} responses, {} "
                              "tokens</p>\n<p class=\"outcome\">{} {}</p>\n",
                              data::grouped(diagnosis.responses), data::grouped(diagnosis.tokens),
                              mark, shown(diagnosis.outcome(), 400)),
                  parts, dataBlock("diagnosis-numbers", measure::diagnosisJson(diagnosis)));
}

std::vector<FigureFile> figureFiles(const PageContent& content) {
  return filesOf(panelGroups(content));
}

std::vector<FigureFile> figureFiles(const DiagnosisContent& content) {
  return filesOf({signPanels(content.signs, content.signs.responses, nullptr)});
}

} // namespace tikc::page
