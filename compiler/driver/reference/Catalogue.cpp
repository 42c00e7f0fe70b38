#include "driver/reference/Catalogue.h"

#include "model/Metrics.h"

#include <fmt/format.h>

namespace tikc::driver {

using model::Shape;

namespace {

struct Sample {
  Shape shape;
  std::string_view value;
};
constexpr Sample sampleTable[] = {
#define SAMPLE(shape, value) {Shape::shape, value},
#include "driver/reference/Samples.def"
};

std::string measures(bool claims) {
  std::string out = claims ? "Claim quantities:\n\n" : "Metrics:\n\n";
  if (claims)
    for (const auto& row : model::claims())
      out += fmt::format("- `{}`: {}\n", row.symbol, row.meaning);
  else
    for (const auto& row : model::metrics())
      out += fmt::format("- `{}` ({}): {}\n", row.symbol, model::levelName(row.level), row.meaning);
  out += "\nAggregates:\n\n";
  for (const auto& row : model::aggregates())
    out += fmt::format("- `{}`: {}\n", row.name, row.meaning);
  return out;
}

std::string callsOf(model::CallPlace place) {
  std::string out;
  for (const auto& call : model::calls()) {
    if (call.place != place)
      continue;
    std::string parameters;
    for (const auto& row : model::parameters(call.id)) {
      bool named = row.kind == model::ParameterKind::NamedText ||
                   row.kind == model::ParameterKind::NamedShare;
      parameters += fmt::format("{}{}{}{}", parameters.empty() ? "" : ", ", row.name,
                                named ? "=…" : "", row.needed ? "" : "?");
    }
    out += fmt::format("- `{}{}`: {}\n", call.name,
                       parameters.empty() ? "" : "(" + parameters + ")", call.meaning);
  }
  return out;
}

} // namespace

std::vector<std::string_view> samplesOf(Shape shape) {
  std::vector<std::string_view> out;
  for (const Sample& row : sampleTable)
    if (row.shape == shape)
      out.push_back(row.value);
  return out;
}

std::string vocabularyOf(Shape shape, bool claims) {
  switch (shape) {
  case Shape::Requirement:
  case Shape::Clause:
    return measures(claims);
  case Shape::Predicate: {
    std::string out = "Request fields, in addition to the declared `labels`:\n\n";
    for (const auto& row : model::fields())
      out += fmt::format("- `{}`: {}\n", row.symbol, row.meaning);
    return out;
  }
  case Shape::Trigger:
    return "States:\n\n" + callsOf(model::CallPlace::State);
  case Shape::Correction:
    return "Corrections:\n\n" + callsOf(model::CallPlace::Correction);
  case Shape::Action:
  case Shape::Actions:
    return "Actions:\n\n" + callsOf(model::CallPlace::Action);
  case Shape::Directive:
    return "Directives:\n\n" + callsOf(model::CallPlace::Directive);
  default:
    return {};
  }
}

std::string_view mapTitle(model::Map map) {
  static constexpr std::string_view titles[model::mapCount] = {
      "Contract", "Kernel",      "Parallel", "Sampling",  "Pair",    "Model",
      "Load",     "Assumptions", "Layer",    "Staleness", "Support", "Slice",
      "Clause",   "Rule",        "Step",     "Promotion", "Stage"};
  return titles[static_cast<std::size_t>(map)];
}

std::string cell(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

} // namespace tikc::driver
