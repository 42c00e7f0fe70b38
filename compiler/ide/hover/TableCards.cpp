#include "bounds/prove/ClauseForms.h"
#include "ide/hover/Cards.h"
#include "support/Names.h"
#include "trainers/TrainerFigures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::ide {
namespace {

/// "unit nat, range [0 … ∞), better lower".
std::string figureText(model::Measured dimension, const model::WrittenRange& range,
                       model::Better better) {
  std::string unit = dimension == model::Measured::None
                         ? "no unit"
                         : fmt::format("in {}", model::unitText(dimension));
  return fmt::format("{}, range {}, better {}", unit, model::rangeText(range),
                     model::betterText(better));
}

std::string signatureOf(const model::CallInfo& row) {
  std::string list;
  for (const auto& parameter : model::parameters(row.id))
    list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ", parameter.name,
                        model::isNamed(parameter.kind) ? "=…" : "", parameter.needed ? "" : "?");
  return list.empty() ? std::string(row.name) : fmt::format("{}({})", row.name, list);
}

std::string_view placeName(model::CallPlace place) {
  static constexpr std::string_view names[] = {"an action", "a directive", "a correction",
                                               "a state"};
  return names[static_cast<std::size_t>(place)];
}

/// Which clauses on it lead to claims, and why others do not.
void tellForms(Card& card, const model::MetricInfo& metric) {
  std::vector<std::string> used;
  std::vector<std::pair<std::string_view, std::vector<std::string>>> unused;
  for (const bounds::ClauseForm& form : bounds::clauseForms(metric)) {
    const std::string text = fmt::format("`{}`", form.text);
    if (form.why.empty()) {
      used.push_back(text);
      continue;
    }
    auto same = std::find_if(unused.begin(), unused.end(),
                             [&](const auto& row) { return row.first == form.why; });
    if (same == unused.end())
      unused.push_back({form.why, {text}});
    else
      same->second.push_back(text);
  }
  if (used.empty())
    return void(card.item(fmt::format("leads to no claim: {}", unused.front().first)));
  card.item(fmt::format("leads to claims as {}", fmt::join(used, ", ")));
  for (const auto& [why, forms] : unused)
    card.item(fmt::format("not as {}: {}", fmt::join(forms, ", "), why));
}

} // namespace

void tellKey(Card& card, const model::KeyInfo& row) {
  bool isRequired = row.presence == model::Presence::Required;
  card.title(row.key, fmt::format(", a key of {}{}", model::mapName(row.map),
                                  isRequired ? ", required" : ""));
  card.text(row.meaning);
  const model::ShapeInfo& want = model::info(row.shape);
  if (want.form != model::Form::Record && want.form != model::Form::Dictionary)
    card.text(fmt::format("Expects {}.", want.what));
}

void tellMetric(Card& card, const model::MetricInfo& row) {
  std::string name(row.symbol);
  if (!row.parameters.empty())
    name += fmt::format("({})", fmt::join(splitWords(row.parameters), ", "));
  card.title(name, fmt::format(", a metric of a {}", model::levelName(row.level)));
  card.text(row.meaning);
  card.item(fmt::format("estimator: `{}`", row.estimator));
  card.item(figureText(row.dimension, row.range, row.better));
  card.item(fmt::format("from `{}`", model::inputName(row.input)));
  if (const std::string names = trainers::loggedAs(row.symbol); !names.empty())
    card.item(fmt::format("logged by trainers as `{}`", names));
  tellForms(card, row);
}

void tellClaimQuantity(Card& card, const model::ClaimInfo& row) {
  card.title(row.symbol, fmt::format(", a claim about a {}", model::levelName(row.level)));
  card.text(row.meaning);
  card.item(figureText(row.dimension, row.range, row.better));
  if (row.needsAggregate)
    card.item("needs an aggregate");
  card.item(fmt::format("`tikc suggest DATA --claim {}` lists the clauses that bound it",
                        row.needsAggregate ? fmt::format("'max({})'", row.symbol)
                                           : std::string(row.symbol)));
}

void tellAggregate(Card& card, const model::AggregateInfo& row) {
  card.title(row.name, fmt::format(": {}", row.meaning));
}

void tellField(Card& card, const model::FieldInfo& row) {
  card.title(row.symbol, ", a field of requests");
  card.text(row.meaning);
  card.item(fmt::format("unit: {}, range {}", model::unitText(row.dimension),
                        model::rangeText(row.range)));
}

void tellUnit(Card& card, const model::UnitInfo& row) {
  card.title(row.symbol, fmt::format(": {}", row.meaning));
}

void tellCall(Card& card, const model::CallInfo& row) {
  card.title(signatureOf(row), fmt::format(", {}", placeName(row.place)));
  card.text(row.meaning);
  for (const auto& parameter : model::parameters(row.id))
    card.item(fmt::format("`{}`{}: {}", parameter.name, parameter.needed ? "" : " (optional)",
                          parameter.meaning));
}

void tellParameter(Card& card, const model::CallInfo& call, const model::ParameterInfo& row) {
  card.title(row.name, fmt::format(" of `{}`: {}", call.name, row.meaning));
}

void tellCode(Card& card, const diag::CodeInfo& row) {
  card.title(row.id, fmt::format(" {}, {}", row.name, diag::severityName(row.severity)));
  card.text(row.summary);
  card.text(row.why);
}

} // namespace tikc::ide
