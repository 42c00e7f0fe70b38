#include "ide/completion/Vocabulary.h"

#include "support/Escape.h"
#include "support/Names.h"
#include "trainers/TrainerFigures.h"

#include <fmt/format.h>

namespace tikc::ide {
namespace {

bool isText(model::ParameterKind kind) {
  return kind == model::ParameterKind::NamedText || kind == model::ParameterKind::Text;
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

std::string measured(model::Measured dimension) {
  return dimension == model::Measured::None ? std::string()
                                            : std::string(model::unitText(dimension));
}

} // namespace

CompletionItem aggregateItem(const model::AggregateInfo& row, const WordSlot& slot) {
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

CompletionItem metricItem(const model::MetricInfo& row, const WordSlot& slot) {
  CompletionItem out{std::string(row.symbol), ItemKind::Field, measured(row.dimension)};
  out.documentation = fmt::format(
      "{}\n\n{}\n\nOne value per {}, range {}, better {}. Observed by `{}`.", row.meaning,
      escape::markdownCode(row.estimator), model::levelName(row.level), model::rangeText(row.range),
      model::betterText(row.better), model::inputName(row.input));
  if (const std::string names = trainers::loggedAs(row.symbol); !names.empty())
    out.documentation += fmt::format("\n\nLogged by trainers as {}.", escape::markdown(names));
  auto parameters = splitWords(row.parameters);
  if (row.parameters.empty())
    return out;
  std::vector<Piece> arguments;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    arguments.push_back(gap());
  out.pieces = called(row.symbol, std::move(arguments), slot);
  return out;
}

CompletionItem claimItem(const model::ClaimInfo& row) {
  CompletionItem out{std::string(row.symbol), ItemKind::Field, measured(row.dimension)};
  out.documentation = fmt::format("{}\n\nAbout a {}, range {}, better {}.", row.meaning,
                                  model::levelName(row.level), model::rangeText(row.range),
                                  model::betterText(row.better));
  return out;
}

CompletionItem fieldItem(const model::FieldInfo& row) {
  return {std::string(row.symbol), ItemKind::Field, measured(row.dimension),
          fmt::format("A field of the request: {}.", row.meaning)};
}

CompletionItem callItem(const model::CallInfo& row, const WordSlot& slot) {
  CompletionItem out{std::string(row.name), ItemKind::Function, {}, std::string(row.meaning)};
  std::vector<Piece> needed;
  for (const model::ParameterInfo& parameter : model::parameters(row.id)) {
    out.documentation +=
        fmt::format("\n- `{}{}`{}: {}", parameter.name, model::isNamed(parameter.kind) ? "=" : "",
                    parameter.needed ? "" : " (optional)", parameter.meaning);
    if (!parameter.needed)
      continue;
    std::string quote = isText(parameter.kind) ? "\"" : "";
    auto words = model::words(parameter.kind);
    Piece piece = gap(words.empty() ? quote + quote : std::string(words.front()));
    piece.choices.assign(words.begin(), words.end());
    needed.push_back(std::move(piece));
  }
  if (!model::parameters(row.id).empty())
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
