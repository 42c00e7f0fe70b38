#include "measure/DiagnosisForms.h"

#include "data/Report.h"
#include "support/Columns.h"
#include "support/Escape.h"
#include "support/Json.h"
#include "support/Wrap.h"

#include <fmt/format.h>

#include <cmath>

namespace tikc::measure {
namespace {

using data::CauseFinding;
using data::CauseState;

std::string labelled(std::string_view label, std::string_view text) {
  constexpr std::size_t indent = 15;
  return fmt::format("     {:<10}", label) + wrapped(text, indent, indent) + "\n";
}

std::string figureLines(const CauseFinding& cause) {
  constexpr std::size_t indent = 7;
  std::string out;
  for (const data::SignFigure& each : cause.figures)
    out += "     " + wrapped(each.text(), indent, indent - 2) + "\n";
  return out;
}

std::string namedText(const data::Diagnosis& diagnosis) {
  std::string out;
  std::size_t number = 0;
  for (const CauseFinding* each : diagnosis.thatAre(CauseState::named)) {
    const data::Cause& cause = rowOf(each->cause);
    out += fmt::format("\n{:>2}. {}\n", ++number, cause.name) + labelled("sign", cause.sign) +
           figureLines(*each) + labelled("contrast", cause.contrast) + labelled("next", cause.next);
  }
  return out;
}

std::string notesText(const data::Diagnosis& diagnosis) {
  std::string out;
  for (const std::string& each : diagnosis.notes)
    out += "\nnote: " + wrapped(each, 6, 6) + "\n";
  return out;
}

/// The figure that says most of what is not named, or why there is none.
std::string briefly(const CauseFinding& cause) {
  if (!cause.why.empty())
    return cause.why;
  return cause.figures.empty() ? std::string() : cause.figures.front().text();
}

} // namespace

std::string diagnosisText(const data::Diagnosis& diagnosis) {
  std::string out = fmt::format(
      "{} responses, {} tokens that count; p trainer, q server, x = log p - log q, "
      "w = p/q\n\n{}\n",
      data::grouped(diagnosis.responses), data::grouped(diagnosis.tokens), diagnosis.outcome());
  out += namedText(diagnosis);
  std::vector<std::vector<std::string>> rows = {{"cause", "state", "reason"}};
  for (const CauseFinding& each : diagnosis.causes)
    rows.push_back(
        {std::string(rowOf(each.cause).key), std::string(data::name(each.state)), briefly(each)});
  return out + "\n" + inColumns(rows) + notesText(diagnosis);
}

std::string diagnosisSummary(const data::Diagnosis& diagnosis) {
  std::string out = "diagnosis  " + diagnosis.outcome() + "\n";
  for (const CauseFinding* each : diagnosis.thatAre(CauseState::named)) {
    for (const data::SignFigure& figure : each->figures)
      out += "           " + wrapped(figure.text(), 13, 11) + "\n";
    out += "           next: " + wrapped(rowOf(each->cause).next, 17, 17) + "\n";
  }
  for (const CauseFinding* each : diagnosis.thatAre(CauseState::undecided))
    out += fmt::format("           {}: {}\n", rowOf(each->cause).key, each->why);
  for (const std::string& each : diagnosis.notes)
    out += "           " + wrapped(each, 11, 11) + "\n";
  return out;
}

std::string diagnosisMarkdown(const data::Diagnosis& diagnosis) {
  std::string out = fmt::format("\nDiagnosis: {}.\n", escape::markdown(diagnosis.outcome()));
  std::string rows;
  for (const CauseFinding& each : diagnosis.causes) {
    if (each.state == CauseState::unseen || each.state == CauseState::unasked)
      continue;
    std::string figures;
    for (const data::SignFigure& figure : each.figures)
      figures += (figures.empty() ? "" : "; ") + figure.text();
    rows += fmt::format(
        "| {} | {} | {} | {} |\n",
        each.state == CauseState::named ? "**named**" : data::name(each.state),
        escape::markdown(rowOf(each.cause).name), escape::markdown(figures),
        escape::markdown(each.state == CauseState::named ? rowOf(each.cause).next : each.why));
  }
  if (!rows.empty())
    out += "\n| state | cause | reason | next |\n|---|---|---|---|\n" + rows;
  for (const std::string& each : diagnosis.notes)
    out += "\n" + escape::markdown(each) + "\n";
  return out;
}

void writeDiagnosis(llvm::json::OStream& json, const data::Diagnosis& diagnosis) {
  auto text = [&](std::string_view key, std::string_view value) { jsonText(json, key, value); };
  auto number = [&](llvm::StringRef key, double value) {
    if (std::isfinite(value))
      json.attribute(key, value);
    else
      json.attribute(key, nullptr);
  };
  text("state", data::name(diagnosis.state));
  text("says", diagnosis.outcome());
  json.attribute("responses", static_cast<std::int64_t>(diagnosis.responses));
  json.attribute("tokens", static_cast<std::int64_t>(diagnosis.tokens));
  json.attributeArray("causes", [&] {
    for (const CauseFinding& each : diagnosis.causes)
      json.object([&] {
        const data::Cause& cause = rowOf(each.cause);
        text("cause", cause.key);
        text("name", cause.name);
        text("state", data::name(each.state));
        text("sign", cause.sign);
        text("contrast", cause.contrast);
        text("next", cause.next);
        text("why", each.why);
        json.attributeArray("figures", [&] {
          for (const data::SignFigure& figure : each.figures)
            json.object([&] {
              text("figure", figure.key);
              number("value", figure.value);
              number("error", figure.error);
              text("says", figure.says);
            });
        });
      });
  });
  jsonTexts(json, "notes", diagnosis.notes);
}

std::string diagnosisJson(const data::Diagnosis& diagnosis) {
  return writeJson([&](llvm::json::OStream& json) {
    json.object([&] {
      json.attribute("format", "tikc-diagnosis/v1");
      writeDiagnosis(json, diagnosis);
    });
  });
}

} // namespace tikc::measure
