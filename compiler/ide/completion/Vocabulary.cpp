#include "ide/completion/Vocabulary.h"

#include "explain/Escape.h"
#include "support/Names.h"
#include "trainers/TrainerFigures.h"

#include <fmt/format.h>

namespace tikc::ide {
namespace {

bool isText(metrics::ParameterKind kind) {
  return kind == metrics::ParameterKind::NamedText || kind == metrics::ParameterKind::Text;
}

/// `name(` and `)` around gaps; the name alone where its bracket is there.
std::vector<Piece> called(std::string_view name, std::vector<Piece> arguments,
                          const WordSlot& slot) {
  if (slot.next() == '(')
    return {{std::string(name)}};
  std::vector<Piece> out{{fmt::format("{}(", name)}};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0)
      out.push_back({", "});
    out.push_back(std::move(arguments[i]));
  }
  out.push_back({")"});
  return out;
}

std::string measured(metrics::Measured dimension) {
  return dimension == metrics::Measured::None ? std::string()
                                              : std::string(metrics::unitText(dimension));
}

} // namespace

CompletionItem aggregateItem(const metrics::AggregateInfo& row, const WordSlot& slot) {
  CompletionItem out{std::string(row.name), ItemKind::Function, "aggregate",
                     fmt::format("`{}`: {}.", row.name, row.meaning)};
  std::vector<Piece> arguments{gap()};
  if (row.aggregate == model::Aggregate::Quantile && row.level.empty())
    arguments.push_back(gap("0.9995"));
  out.pieces = called(row.name, std::move(arguments), slot);
  return out;
}

CompletionItem absoluteItem(const WordSlot& slot) {
  CompletionItem out{"abs", ItemKind::Function, "absolute value",
                     "`abs`: the absolute value of a metric."};
  out.pieces = called("abs", {gap()}, slot);
  return out;
}

CompletionItem metricItem(const metrics::MetricInfo& row, const WordSlot& slot) {
  CompletionItem out{std::string(row.symbol), ItemKind::Field, measured(row.dimension)};
  out.documentation =
      fmt::format("{}\n\n{}\n\nOne value per {}, range {}, better {}. Observed by `{}`.",
                  row.meaning, explain::markdownCode(row.estimator), metrics::levelName(row.level),
                  metrics::rangeText(row.range), metrics::betterText(row.better),
                  metrics::inputName(row.input));
  if (const std::string names = trainers::loggedAs(row.symbol); !names.empty())
    out.documentation += fmt::format("\n\nLogged by trainers as {}.", explain::markdown(names));
  auto parameters = splitWords(row.parameters);
  if (row.parameters.empty())
    return out;
  std::vector<Piece> arguments;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    arguments.push_back(gap());
  out.pieces = called(row.symbol, std::move(arguments), slot);
  return out;
}

CompletionItem claimItem(const metrics::ClaimInfo& row) {
  CompletionItem out{std::string(row.symbol), ItemKind::Field, measured(row.dimension)};
  out.documentation = fmt::format("{}\n\nAbout a {}, range {}, better {}.", row.meaning,
                                  metrics::levelName(row.level), metrics::rangeText(row.range),
                                  metrics::betterText(row.better));
  return out;
}

CompletionItem fieldItem(const metrics::FieldInfo& row) {
  return {std::string(row.symbol), ItemKind::Field, measured(row.dimension),
          fmt::format("A field of the request: {}.", row.meaning)};
}

CompletionItem callItem(const metrics::CallInfo& row, const WordSlot& slot) {
  CompletionItem out{std::string(row.name), ItemKind::Function, {}, std::string(row.meaning)};
  std::vector<Piece> needed;
  for (const metrics::ParameterInfo& parameter : metrics::parameters(row.id)) {
    out.documentation +=
        fmt::format("\n- `{}{}`{}: {}", parameter.name, metrics::isNamed(parameter.kind) ? "=" : "",
                    parameter.needed ? "" : " (optional)", parameter.meaning);
    if (!parameter.needed)
      continue;
    std::string quote = isText(parameter.kind) ? "\"" : "";
    auto words = metrics::words(parameter.kind);
    Piece piece = gap(words.empty() ? quote + quote : std::string(words.front()));
    piece.choices.assign(words.begin(), words.end());
    needed.push_back(std::move(piece));
  }
  if (!metrics::parameters(row.id).empty())
    out.pieces = called(row.name, std::move(needed), slot);
  return out;
}

CompletionItem unitItem(const model::UnitInfo& row) {
  return {std::string(row.symbol), ItemKind::Unit, {}, fmt::format("{}.", row.meaning)};
}

CompletionItem wordItem(model::Shape shape, std::string_view word) {
  return {std::string(word), ItemKind::EnumMember, {}, std::string(model::meaningOf(shape, word))};
}

CompletionItem nameItem(const std::string& name, std::string_view what) {
  return {name, ItemKind::Reference, std::string(what)};
}

CompletionItem keywordItem(std::string_view word, std::string_view meaning) {
  return {std::string(word), ItemKind::Keyword, {}, std::string(meaning)};
}

CompletionItem comparatorItem(std::string_view sign, std::string_view meaning) {
  return {std::string(sign), ItemKind::Operator, std::string(meaning)};
}

} // namespace tikc::ide
