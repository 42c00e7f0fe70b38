#include "model/Metrics.h"

#include "support/Check.h"
#include "support/Names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace tikc::model {
namespace {

constexpr MetricInfo metricTable[] = {
#define METRIC(Id, symbol, level, dimension, low, high, better, input, parameters, gives, meaning, \
               estimator)                                                                          \
  {MetricId::Id, symbol,         Level::level, Measured::dimension,                                \
   {low, high},  Better::better, Input::input, parameters,                                         \
   Gives::gives, meaning,        estimator},
#include "model/Metrics.def"
};

constexpr ClaimInfo claimTable[] = {
#define CLAIM(Id, symbol, level, dimension, low, high, better, needsAggregate, meaning)            \
  {ClaimId::Id, symbol,         Level::level,   Measured::dimension,                               \
   {low, high}, Better::better, needsAggregate, meaning},
#include "model/Claims.def"
};

constexpr FieldInfo fieldTable[] = {
#define FIELD(symbol, dimension, low, high, whole, meaning)                                        \
  {symbol, Measured::dimension, {low, high}, whole, meaning},
#include "model/Fields.def"
};

constexpr CallInfo callTable[] = {
#define CALL(Id, place, name, meaning) {CallId::Id, CallPlace::place, name, meaning},
#define PARAMETER(...)
#include "model/Calls.def"
};

constexpr ParameterInfo parameterTable[] = {
#define CALL(...)
#define PARAMETER(call, name, kind, needed, meaning)                                               \
  {CallId::call, name, ParameterKind::kind, needed, meaning},
#include "model/Calls.def"
};

constexpr AggregateInfo aggregateTable[] = {
    {Aggregate::Max, "max", "", "the largest value; one offender violates"},
    {Aggregate::Min, "min", "", "the smallest value"},
    {Aggregate::Mean, "mean", "", "the mean"},
    {Aggregate::MeanByResponse, "mean_by_response", "",
     "the mean over responses of each response's mean over its tokens, so long and short responses "
     "count the same; a confidence then uses responses, not tokens, as its observations"},
    {Aggregate::RootMeanSquare, "rms", "", "the root of the mean square"},
    {Aggregate::Deviation, "std", "",
     "the sample standard deviation of the window's observations, which divides by n − 1"},
    {Aggregate::EffectiveShare, "effective_share", "",
     "the effective share of the window's samples under weights x, (Σx)² / (n Σx²); for `ratio` it "
     "is `ess_sample`"},
    {Aggregate::Quantile, "p50", "0.5", "the median"},
    {Aggregate::Quantile, "median", "0.5", "another name for `p50`"},
    {Aggregate::Quantile, "p90", "0.9", "the 90th percentile"},
    {Aggregate::Quantile, "p95", "0.95", "the 95th percentile"},
    {Aggregate::Quantile, "p99", "0.99", "the 99th percentile"},
    {Aggregate::Quantile, "p999", "0.999", "the 99.9th percentile"},
    {Aggregate::Quantile, "quantile", "", "any quantile: quantile(x, 0.9995)"},
    {Aggregate::Sum, "sum", "", "the sum"},
    {Aggregate::Count, "count", "", "the number of observations that are not zero"},
    {Aggregate::Rate, "rate", "",
     "the share of observations that meet a condition: rate(ratio > 2)"},
    {Aggregate::Slope, "slope", "", "the change of the window's mean per window, by least squares"},
};

constexpr AliasInfo aliasTable[] = {
#define ALIAS(of, written, instead, same, says) {AliasOf::of, written, instead, same, says},
#include "model/Aliases.def"
};

constexpr std::string_view levelNames[] = {"row",     "token",  "sequence",
                                           "request", "window", "gradient"};
constexpr std::string_view inputNames[] = {"logits", "logprobs", "requests",
                                           "routes", "batch",    "request"};
constexpr std::string_view inputWords[] = {"logits", "logprobs", "requests", "routes"};
constexpr std::string_view replayWords[] = {"batch", "request"};
constexpr std::string_view retainedWords[] = {"violations", "rows", "tokens", "verdicts"};
constexpr std::string_view drawnWords[] = {"logprobs"};
constexpr std::string_view correctionWords[] = {"tis", "mis", "clip", "ppo"};

template <typename Row> const Row* findSymbol(std::span<const Row> table, std::string_view symbol) {
  auto found = std::find_if(table.begin(), table.end(),
                            [&](const Row& row) { return row.symbol == symbol; });
  return found == table.end() ? nullptr : &*found;
}

/// Returns an end of a range in the tables. Each is parsed once, since a check asks thousands of
/// times.
std::optional<Rational> endAt(std::string_view written) {
  static const auto ends = [] {
    std::map<std::string_view, std::optional<Rational>> out{{"", std::nullopt}};
    auto add = [&](const auto& table) {
      for (const auto& row : table)
        for (std::string_view end : {row.range.low, row.range.high})
          if (auto [place, isNew] = out.emplace(end, std::nullopt); isNew)
            place->second = parseDecimal(end);
    };
    add(metricTable);
    add(claimTable);
    add(fieldTable);
    return out;
  }();
  const auto found = ends.find(written);
  TIKC_CHECK(found != ends.end(), "a range is one of the tables");
  return found->second;
}

} // namespace

std::span<const MetricInfo> metrics() { return metricTable; }
std::span<const ClaimInfo> claims() { return claimTable; }
std::span<const FieldInfo> fields() { return fieldTable; }
std::span<const CallInfo> calls() { return callTable; }
std::span<const AggregateInfo> aggregates() { return aggregateTable; }
std::span<const AliasInfo> aliases() { return aliasTable; }

std::string_view aliasKind(AliasOf kind) {
  static constexpr std::string_view kinds[] = {
      "a metric",      "a measure",   "a claim",        "an aggregate",
      "a format",      "an action",   "a kernel's key", "a key of `parallel`",
      "a model's key", "a pair's key"};
  return kinds[static_cast<std::size_t>(kind)];
}

std::vector<AliasInfo> findAliases(AliasOf kind, std::string_view written) {
  static const auto byName = [] {
    std::multimap<std::string, const AliasInfo*, std::less<>> out;
    for (const AliasInfo& row : aliasTable)
      out.emplace(withoutSeparators(row.written), &row);
    return out;
  }();
  std::vector<AliasInfo> out;
  auto [first, last] = byName.equal_range(withoutSeparators(written));
  for (; first != last; ++first)
    if (first->second->kind == kind)
      out.push_back(*first->second);
  return out;
}

std::span<const ParameterInfo> parameters(CallId call) {
  auto isOfCall = [&](const ParameterInfo& row) { return row.call == call; };
  auto first = std::find_if(std::begin(parameterTable), std::end(parameterTable), isOfCall);
  auto last = std::find_if_not(first, std::end(parameterTable), isOfCall);
  return {first, last};
}

const MetricInfo& info(MetricId id) { return metricTable[static_cast<std::size_t>(id)]; }
const ClaimInfo& info(ClaimId id) { return claimTable[static_cast<std::size_t>(id)]; }
const CallInfo& info(CallId id) { return callTable[static_cast<std::size_t>(id)]; }
const MetricInfo* findMetric(std::string_view symbol) { return findSymbol(metrics(), symbol); }
const ClaimInfo* findClaim(std::string_view symbol) { return findSymbol(claims(), symbol); }
const FieldInfo* findField(std::string_view symbol) { return findSymbol(fields(), symbol); }

ValueRange domainOf(const WrittenRange& limits) { return {endAt(limits.low), endAt(limits.high)}; }

ValueRange domainOf(const model::Measure& measure) {
  if (info(measure.metric).gives == Gives::Weight)
    return {measure.parameters.at(0), measure.parameters.at(1)};
  return domainOf(info(measure.metric).range);
}

const CallInfo* findCall(CallPlace place, std::string_view name) {
  for (const CallInfo& row : callTable)
    if (row.place == place && row.name == name)
      return &row;
  return nullptr;
}

const AggregateInfo* findAggregate(std::string_view name) {
  for (const AggregateInfo& row : aggregateTable)
    if (row.name == name)
      return &row;
  return nullptr;
}

Level levelOf(const model::Measure& measure) {
  return measure.aggregate == Aggregate::MeanByResponse ? Level::Sequence
                                                        : info(measure.metric).level;
}

bool isShareOfFlags(const model::Measure& measure) {
  return measure.aggregate == Aggregate::Rate ||
         (countsEvents(measure.metric) && measure.aggregate != Aggregate::MeanByResponse &&
          info(measure.metric).range.high == "1");
}

bool isAveragedByResponse(const MetricInfo& metric) {
  return metric.level == Level::Token && metric.parameters.empty();
}

bool isWeight(const MetricInfo& metric) {
  return metric.better == Better::One && metric.level != Level::Window;
}

bool countsEvents(MetricId metric) { return info(metric).gives == Gives::Event; }
bool isLogRatio(MetricId metric) { return info(metric).gives == Gives::LogRatio; }

std::string_view levelName(Level level) { return levelNames[static_cast<std::size_t>(level)]; }

std::string rangeText(const WrittenRange& range) {
  if (range.low.empty() && range.high.empty())
    return "any";
  return fmt::format("{}{} … {}{}", range.low.empty() ? "(" : "[",
                     range.low.empty() ? "−∞" : range.low, range.high.empty() ? "∞" : range.high,
                     range.high.empty() ? ")" : "]");
}

std::string_view unitText(Measured dimension) {
  static constexpr std::string_view names[] = {"–",        "nat",          "time", "tokens",
                                               "requests", "tokens per s", "text"};
  return names[static_cast<std::size_t>(dimension)];
}

std::string_view betterText(Better better) {
  static constexpr std::string_view names[] = {"lower", "higher", "near 0", "near 1"};
  return names[static_cast<std::size_t>(better)];
}

std::string_view inputName(Input input) { return inputNames[static_cast<std::size_t>(input)]; }

std::span<const std::string_view> words(ParameterKind kind) {
  switch (kind) {
  case ParameterKind::Input:
    return inputWords;
  case ParameterKind::ReplayKind:
    return replayWords;
  case ParameterKind::Retained:
    return retainedWords;
  case ParameterKind::Correction:
    return correctionWords;
  case ParameterKind::Drawn:
    return drawnWords;
  default:
    return {};
  }
}

} // namespace tikc::model
