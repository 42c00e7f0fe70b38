#include "driver/reference/Catalogue.h"
#include "gen/Generators.h"
#include "model/Amount.h"
#include "model/Glossary.h"
#include "model/Metrics.h"
#include "support/Names.h"
#include "support/Utf8.h"
#include "trainers/TrainerFigures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::gen {

using driver::cell;
using driver::mapTitle;
using driver::samplesOf;
using model::KeyInfo;
using model::Map;
using model::Shape;
using model::ShapeInfo;

namespace {

std::string shapeText(const ShapeInfo& want) {
  std::string text(want.what);
  if (auto words = splitWords(want.words); words.size() > 1)
    text += fmt::format(": `{}`{}", fmt::join(words, "`, `"),
                        want.open ? ", or another name in quotes" : "");
  return text;
}

void mapSection(std::string& out, Map map) {
  out += fmt::format("\n### {}\n\n| key | value | meaning |\n|---|---|---|\n", mapTitle(map));
  for (const KeyInfo& row : model::keys(map))
    out += fmt::format("| `{}`{} | {} | {} |\n", row.key,
                       row.presence == model::Presence::Required ? " *" : "",
                       cell(shapeText(model::info(row.shape))), cell(row.meaning));
}

void wordSection(std::string& out, Shape shape, std::string_view title) {
  out += fmt::format("\n### {}\n\n| word | meaning |\n|---|---|\n", title);
  for (std::string_view word : splitWords(model::info(shape).words))
    out += fmt::format("| `{}` | {} |\n", word, cell(model::meaningOf(shape, word)));
}

using model::betterText;
using model::rangeText;
using model::unitText;

void metricSection(std::string& out) {
  out += "\n## Metrics\n\nx = log p − log q of the sampled token. p is the trainer's distribution, "
         "q is the inference kernel's, and W is the product of a response's ratios.\n";
  model::Level level{};
  bool first = true;
  for (const auto& row : model::metrics()) {
    if (first || row.level != level) {
      out += fmt::format(
          "\n### One value per {}\n\n| metric | meaning | estimator | unit | range | better | "
          "input | logged by trainers as |\n|---|---|---|---|---|---|---|---|\n",
          model::levelName(row.level));
      level = row.level;
      first = false;
    }
    std::string parameters = row.parameters.empty()
                                 ? ""
                                 : fmt::format("({})", fmt::join(splitWords(row.parameters), ", "));
    out += fmt::format("| `{}{}` | {} | {} | {} | {} | {} | {} | {} |\n", row.symbol, parameters,
                       cell(row.meaning), cell(row.estimator), unitText(row.dimension),
                       rangeText(row.range), betterText(row.better), model::inputName(row.input),
                       cell(trainers::loggedAs(row.symbol)));
  }
  out += "\n## Claim quantities\n\n| quantity | about | meaning | unit | range | better "
         "|\n|---|---|---|---|---|---|\n";
  for (const auto& row : model::claims())
    out += fmt::format("| `{}`{} | {} | {} | {} | {} | {} |\n", row.symbol,
                       row.needsAggregate ? " (needs an aggregate)" : "",
                       model::levelName(row.level), cell(row.meaning), unitText(row.dimension),
                       rangeText(row.range), betterText(row.better));
  out += "\n## Aggregates\n\n| aggregate | meaning |\n|---|---|\n";
  for (const auto& row : model::aggregates())
    out += fmt::format("| `{}` | {} |\n", row.name, cell(row.meaning));
}

void trainerSection(std::string& out) {
  out += "\n## What trainers log\n\nThese figures are for one batch, as the trainers' code "
         "computes them. `tikc inspect --figures=TRAINER` computes them from recorded "
         "data.\n\nWhere the column *here* says *equals*, both values are equal over the same "
         "batch. *With these settings* means that this needs the settings above the table. If the "
         "column is empty, no clause can check the figure. For a response without counted tokens, "
         "trainers count means of 0, and tikc skips the response.\n";
  const trainers::TrainerRow* trainer = nullptr;
  for (const trainers::TrainerFigure& row : trainers::trainerFigures()) {
    if (&rowOf(row.trainer) != trainer) {
      trainer = &rowOf(row.trainer);
      out += fmt::format("\n### {}\n\nSettings: {}.\n\n| figure | definition | here | caution "
                         "|\n|---|---|---|---|\n",
                         trainer->name, trainer->assumed);
    }
    out += fmt::format("| `{}` | {} | {} | {} |\n", row.name, cell(row.formula()),
                       cell(row.relationText()), cell(row.trap));
  }
  out += "\n### Figures without an equal measure\n\n`*` stands for any characters.\n\n| figure | "
         "logged by | from | to | caution |\n|---|---|---|---|---|\n";
  for (const trainers::OtherFigure& row : trainers::otherFigures())
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name,
                       row.trainer.empty() ? "several" : row.trainer, row.low, row.high,
                       cell(row.trap));
}

void aliasSection(std::string& out) {
  out += "\n## Names from elsewhere\n\nNames from trainers, engines and papers, and their "
         "counterparts here. If both mean the same, `tikc check --fix` replaces the name.\n\n| "
         "name | as | here | the same | note |\n|---|---|---|---|---|\n";
  for (const auto& row : model::aliases())
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.written, model::aliasKind(row.kind),
                       row.instead.empty() ? "–" : fmt::format("`{}`", row.instead),
                       row.isSame ? "yes" : "", cell(row.says));
}

void unitSection(std::string& out) {
  out += "\n## Units\n\nA quantity is a number and a unit: `45 s`, `0.1 nat`, `20%`, `50_000 "
         "tokens`. A rate adds `per s`. A bare number has no dimension; for log-ratios and "
         "divergences, tikc reads it as nats.\n\n| unit | meaning |\n|---|---|\n";
  struct Unit {
    std::string_view symbol, meaning;
  };
#define UNIT(Id, symbol, dimension, numerator, denominator, meaning) {symbol, meaning},
  static constexpr Unit units[] = {
#include "model/Units.def"
  };
  for (const Unit& row : units)
    if (!row.symbol.empty())
      out += fmt::format("| `{}` | {} |\n", row.symbol, cell(row.meaning));
}

void callSection(std::string& out, model::CallPlace place, std::string_view title) {
  out += fmt::format("\n### {}\n\n| call | meaning | arguments |\n|---|---|---|\n", title);
  for (const auto& call : model::calls()) {
    if (call.place != place)
      continue;
    std::string list;
    for (const auto& row : model::parameters(call.id)) {
      bool named = row.kind == model::ParameterKind::NamedText ||
                   row.kind == model::ParameterKind::NamedShare;
      list += fmt::format("{}`{}{}`{}: {}", list.empty() ? "" : "; ", row.name, named ? "=" : "",
                          row.needed ? "" : " (optional)", row.meaning);
    }
    out += fmt::format("| `{}` | {} | {} |\n", call.name, cell(call.meaning), cell(list));
  }
}

void sampleSection(std::string& out, Shape shape, std::string_view title) {
  out += fmt::format("\n### {}\n\n", title);
  for (std::string_view sample : samplesOf(shape))
    out += fmt::format("    {}\n", sample);
}

} // namespace

std::string languagePage() {
  std::string out =
      "<!-- Generated by `make gen` from the compiler's tables. -->\n\n# The contract language, "
      "v1\n\nA contract file ends in `.tikc.yaml` and holds one or more YAML 1.2 documents. The "
      "list of keys is closed. A `*` marks keys that a contract must have, unless it is `abstract` "
      "or extends another. Keys that begin with `x-` are the author's own: any map may have them, "
      "and tikc keeps them but never reads them.\n\n## Keys\n";
  for (std::size_t map = 0; map < model::mapCount; ++map)
    mapSection(out, static_cast<Map>(map));
  out += "\n## Words\n";
  wordSection(out, Shape::NumberFormat, "Number formats");
  wordSection(out, Shape::LogprobMode, "logprobs");
  wordSection(out, Shape::Estimator, "estimator");
  wordSection(out, Shape::Severity, "severity");
  metricSection(out);
  trainerSection(out);
  aliasSection(out);
  unitSection(out);
  out += "\n## Expressions\n";
  sampleSection(out, Shape::Requirement, "Requirements");
  sampleSection(out, Shape::Predicate, "Predicates");
  out += "\nRequest fields, in addition to the declared `labels`:\n\n| field | unit | meaning "
         "|\n|---|---|---|\n";
  for (const auto& row : model::fields())
    out +=
        fmt::format("| `{}` | {} | {} |\n", row.symbol, unitText(row.dimension), cell(row.meaning));
  sampleSection(out, Shape::Trigger, "Triggers");
  callSection(out, model::CallPlace::State, "States");
  callSection(out, model::CallPlace::Action, "Actions");
  callSection(out, model::CallPlace::Directive, "Directives of `observability`");
  callSection(out, model::CallPlace::Correction, "Corrections of `assumptions`");
  return out;
}

std::string glossaryPage() {
  std::string out = "<!-- Generated by `make gen` from the compiler's tables. -->\n\n# Glossary\n\n"
                    "`tikc explain TERM` prints an entry of this page.\n";
  for (const model::GlossaryTerm& row : model::glossary)
    out += fmt::format("\n## {}\n\n{}\n", row.term, row.meaning);
  return out;
}

} // namespace tikc::gen
