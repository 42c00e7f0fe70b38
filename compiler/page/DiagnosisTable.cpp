#include "data/inspect/Diagnosis.h"
#include "page/Section.h"
#include "page/Tables.h"
#include "page/Words.h"

#include <fmt/format.h>

namespace tikc::page {
namespace {

using data::CauseState;
using data::DiagnosisState;

std::string figuresHtml(const data::CauseFinding& cause) {
  std::string out;
  for (const data::SignFigure& each : cause.figures)
    out += (out.empty() ? "" : "<br>") + shown(each.text(), 200);
  return out;
}

/// A fault that is named is none that is proved, so it has no verdict's colour but that of what is
/// open.
std::string causeState(CauseState is) {
  return is == CauseState::unseen
             ? markHtml("satisfied", "✓", data::name(is))
             : markHtml("undecided", is == CauseState::named ? "!" : "?", data::name(is));
}

} // namespace

std::string diagnosisSection(const data::Diagnosis& diagnosis) {
  HtmlTable table("Causes that the numbers are consistent with",
                  {"cause", "sign", "reason", "difference from similar causes", "next step"},
                  room::diagnosis);
  // Those that say something first.
  for (CauseState state : {CauseState::named, CauseState::echoed, CauseState::undecided})
    for (const data::CauseFinding* each : diagnosis.thatAre(state)) {
      const data::Cause& cause = data::rowOf(each->cause);
      table.add({shown(cause.name), causeState(state),
                 figuresHtml(*each) + (each->why.empty() ? "" : "<br>" + shown(each->why, 300)),
                 shown(cause.contrast, 400), shown(cause.next, 400)});
    }
  const std::size_t unseen = diagnosis.thatAre(CauseState::unseen).size(),
                    unasked = diagnosis.thatAre(CauseState::unasked).size();
  std::string inner = fmt::format("<p><strong>{}</strong></p>\n", shown(diagnosis.outcome(), 400));
  if (!table.isEmpty())
    inner += table.html();
  inner += leftOutHtml(table.leftOut(), "causes", "`tikc diagnose` shows them");
  if (!diagnosis.notes.empty()) {
    inner += "<ul>\n";
    for (const std::string& each : diagnosis.notes)
      inner += "<li>" + shown(each, 400) + "</li>\n";
    inner += "</ul>\n";
  }
  inner += fmt::format("<p>From {} responses and {} tokens. Causes without a sign: {}; causes that "
                       "the data cannot show: {}.</p>\n",
                       data::grouped(diagnosis.responses), data::grouped(diagnosis.tokens), unseen,
                       unasked);
  return sectionHtml("diagnosis", "Consistent causes",
                     "That the numbers are consistent with a cause does not prove it: they show "
                     "how far the sign is from chance, and the next step distinguishes causes.",
                     inner);
}

} // namespace tikc::page
