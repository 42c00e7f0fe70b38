#include "checker/tables/Tables.h"

#include "checker/tables/TokenPlan.h"
#include "checker/tables/Words.h"

#include <algorithm>
#include <cmath>

namespace tikc::tables {
namespace {

using plan::Plan;

comparator asRuntime(model::Comparator comparator) { return comparatorOf(comparator); }
static_assert(static_cast<int>(model::Comparator::LessEqual) ==
                  static_cast<int>(comparator::at_most) &&
              static_cast<int>(model::Comparator::NotEqual) ==
                  static_cast<int>(comparator::not_equal));

window windowOf(const plan::Window& row) {
  return {static_cast<window_unit>(row.unit), row.amount};
}
static_assert(static_cast<int>(plan::Window::Unit::Steps) == static_cast<int>(window_unit::steps));

source asRuntime(plan::StreamSource value) { return static_cast<source>(value); }
static_assert(static_cast<int>(plan::StreamSource::Replays) == static_cast<int>(source::replays));

fold asRuntime(plan::Fold value) { return static_cast<fold>(value); }
static_assert(static_cast<int>(plan::Fold::Moments) == static_cast<int>(fold::moments));

input asRuntime(plan::Input value) { return static_cast<input>(value); }
static_assert(static_cast<int>(plan::Input::RequestReplays) ==
              static_cast<int>(input::request_replays));

estimator estimatorOf(const plan::Check& check, const Plan& plan) {
  switch (check.estimator) {
  case plan::Estimator::Largest:
    return estimator::largest;
  case plan::Estimator::Smallest:
    return estimator::smallest;
  case plan::Estimator::Mean:
    return estimator::mean;
  case plan::Estimator::RootMeanSquare:
    return estimator::root_mean_square;
  case plan::Estimator::Deviation:
    return estimator::deviation;
  case plan::Estimator::EffectiveShare:
    return estimator::effective_share;
  case plan::Estimator::Quantile:
    return estimator::quantile;
  case plan::Estimator::Share:
    return estimator::share;
  case plan::Estimator::Total:
    return estimator::total;
  case plan::Estimator::Nonzero:
    return estimator::nonzero;
  case plan::Estimator::Slope:
    return estimator::slope;
  case plan::Estimator::Sampled:
    return estimator::sampled;
  case plan::Estimator::Coherence:
    return estimator::coherence;
  case plan::Estimator::WindowFigure:
    break;
  }
  return windowEstimator(plan::info(plan.signals[check.signal].figure).estimator);
}

stream streamOf(const Plan& plan, std::uint32_t which) {
  const plan::Stream& row = plan.streams[which];
  std::uint32_t wants = 0;
  for (const plan::Signal& signal : plan.signals)
    if (signal.stream == which && plan::sourceOf(signal) == plan::StreamSource::Rows)
      wants |= 1U << static_cast<unsigned>(figureOf(signal.figure));
  return {row.trainTemperature,
          row.inferTemperature,
          wants,
          row.allowsMissing ? mask_rule::lenient : mask_rule::strict,
          {row.cut.topP, row.cut.minP, row.cut.topK},
          row.drawer.empty()};
}

/// Parameters are ratios where the figure is one, else their logarithms.
signal signalOf(const plan::Signal& row) {
  const bool isRatio = plan::info(row.figure).range == figure_range::held;
  auto ratio = [&](std::size_t i) {
    double value = i < row.parameters.size() ? row.parameters[i] : isRatio ? 0 : 1;
    return isRatio ? value : std::log(value);
  };
  return {asRuntime(plan::sourceOf(row)),
          figureOf(row.figure),
          static_cast<std::uint16_t>(row.stream),
          row.absolute,
          ratio(0),
          ratio(1)};
}

/// Kinds that are kept in one array are numbered together.
std::uint16_t slotOf(const Plan& plan, const TokenPlan& tokens, std::size_t which) {
  if (tokens.keepings[which].byTokens)
    return 0;
  auto arrayOf = [](plan::Fold fold) {
    return fold == plan::Fold::Nonzero   ? plan::Fold::Share
           : fold == plan::Fold::Squares ? plan::Fold::Total
                                         : fold;
  };
  const plan::Fold array = arrayOf(plan.registers[which].fold);
  std::size_t out = 0;
  for (std::size_t i = 0; i < which; ++i)
    out += arrayOf(plan.registers[i].fold) == array && !tokens.keepings[i].byTokens;
  return static_cast<std::uint16_t>(out);
}

keeper keeperOf(const Plan& plan, const TokenPlan& tokens, std::size_t which) {
  const plan::Register& row = plan.registers[which];
  const Keeping& at = tokens.keepings[which];
  return {static_cast<std::uint16_t>(row.signal),
          at.byTokens ? reading::tokens : reading::cell,
          asRuntime(row.fold),
          asRuntime(row.comparator),
          row.countsNan,
          row.threshold,
          slotOf(plan, tokens, which),
          static_cast<std::int16_t>(at.above),
          static_cast<std::int16_t>(at.below),
          static_cast<std::int16_t>(at.beyond)};
}

check checkOf(const Plan& plan, const plan::Check& row) {
  check out{};
  out.text = row.text.c_str();
  out.how = estimatorOf(row, plan);
  out.signal = static_cast<std::uint16_t>(row.signal);
  std::copy(row.registers.begin(), row.registers.end(), out.keepers);
  out.level = {row.levelPart, row.levelWhole};
  for (std::size_t i = 0; i < row.limits.size(); ++i)
    out.limits[i] = {asRuntime(row.limits[i].comparator), row.limits[i].bound};
  out.limit_count = static_cast<std::uint8_t>(row.limits.size());
  out.alpha = row.alpha.value_or(0);
  out.least = row.least;
  out.low = row.low.value_or(0);
  out.high = row.high.value_or(0);
  out.window = static_cast<std::uint16_t>(row.window);
  out.history = static_cast<std::uint16_t>(row.history);
  out.absolute = row.absolute;
  out.on_mixture = row.onMixture;
  out.worst = row.worst ? static_cast<std::uint16_t>(*row.worst) : no_keeper;
  out.sampled = asRuntime(row.input);
  return out;
}

std::vector<char> among(const std::vector<std::uint32_t>& those, std::size_t count) {
  std::vector<char> out(count, false);
  for (std::uint32_t each : those)
    out[each] = true;
  return out;
}

quantity asRuntime(plan::Watchable value) { return static_cast<quantity>(value); }
static_assert(static_cast<int>(plan::Watchable::Unseen) == static_cast<int>(quantity::unseen));

void addAssumptions(PlanTables& out, const Plan& plan) {
  for (const plan::Assumption& each : plan.assumptions) {
    out.assumptions.push_back(
        {each.key.c_str(), each.text.c_str(), asRuntime(each.subject), each.low, each.high});
    if (each.subject != plan::Watchable::Unseen)
      out.watched.push_back(asRuntime(each.subject));
  }
  for (const plan::Claim& each : plan.claims) {
    out.claims.push_back({each.id.c_str(), each.text.c_str(), each.isProved});
    out.restsOn.push_back(among(each.assumptions, plan.assumptions.size()));
    const auto claim = static_cast<std::uint32_t>(out.claims.size() - 1);
    for (const plan::ProofCheck& ground : each.grounds)
      out.grounds.push_back({claim, ground.check, ground.slice});
  }
}

class PolicyBuilder {
public:
  explicit PolicyBuilder(const Plan& plan) : plan_(plan) {}

  PolicyTables take() {
    applies();
    for (const plan::Clause& each : plan_.clauses)
      out_.inAny.push_back(each.countsAsAny);
    for (const plan::Rule& each : plan_.rules)
      add(each);
    return std::move(out_);
  }

private:
  void applies() {
    for (const plan::Clause& each : plan_.clauses) {
      std::vector<char> row(plan_.slices.size(), false);
      for (std::uint32_t which : each.checks) {
        const plan::Check& check = plan_.checks[which];
        const std::vector<char> on = among(check.slices, row.size());
        for (std::size_t i = 0; i < row.size(); ++i)
          row[i] = row[i] || on[i] || check.onMixture;
      }
      out_.applies.push_back(std::move(row));
    }
  }

  void add(const plan::Rule& row) {
    const std::uint16_t when = add(row.when), until = row.until ? add(*row.until) : never;
    out_.rules.push_back({row.id.c_str(), when, until,
                          static_cast<std::uint16_t>(out_.steps.size()),
                          static_cast<std::uint16_t>(row.steps.size())});
    for (const plan::Step& step : row.steps) {
      out_.steps.push_back({step.windows, static_cast<std::uint16_t>(out_.actions.size()),
                            static_cast<std::uint16_t>(step.actions.size())});
      for (const plan::Action& action : step.actions)
        out_.actions.push_back({static_cast<action_kind>(action.kind), action.text.c_str(),
                                action.first.value_or(0), action.second.value_or(0)});
    }
    out_.actsOn.push_back(among(row.slices, plan_.slices.size()));
  }

  std::uint16_t add(const plan::Trigger& row) {
    const std::size_t at = out_.triggers.size();
    out_.triggers.emplace_back();
    fill(at, row);
    return static_cast<std::uint16_t>(at);
  }

  void fill(std::size_t at, const plan::Trigger& row) {
    const std::size_t first = out_.triggers.size();
    out_.triggers.resize(first + row.parts.size());
    for (std::size_t i = 0; i < row.parts.size(); ++i)
      fill(first + i, row.parts[i]);
    out_.triggers[at] = {static_cast<trigger_kind>(row.kind),
                         static_cast<std::int16_t>(row.clause ? static_cast<int>(*row.clause) : -1),
                         row.windows, static_cast<std::uint16_t>(row.parts.empty() ? 0 : first),
                         static_cast<std::uint16_t>(row.parts.size())};
  }
  static_assert(static_cast<int>(plan::Trigger::Kind::Or) == static_cast<int>(trigger_kind::some));
  static_assert(static_cast<int>(plan::Action::Kind::Rollback) ==
                static_cast<int>(action_kind::rollback));

  const Plan& plan_;
  PolicyTables out_;
};

} // namespace

comparator comparatorOf(model::Comparator value) { return static_cast<comparator>(value); }

PlanTables tablesOf(const Plan& plan) {
  PlanTables out;
  TokenPlan tokens = planTokens(plan);
  for (std::uint32_t i = 0; i < plan.streams.size(); ++i)
    out.streams.push_back(streamOf(plan, i));
  for (const plan::Signal& each : plan.signals)
    out.signals.push_back(signalOf(each));
  for (std::size_t i = 0; i < plan.registers.size(); ++i)
    out.keepers.push_back(keeperOf(plan, tokens, i));
  out.tokens = {tokens.wants, std::move(tokens.above), std::move(tokens.below),
                std::move(tokens.beyond)};
  for (const plan::Window& each : plan.windows)
    out.windows.push_back(windowOf(each));
  for (const plan::Check& each : plan.checks) {
    out.checks.push_back(checkOf(plan, each));
    out.binds.push_back(each.onMixture ? std::vector<char>(plan.slices.size(), true)
                                       : among(each.slices, plan.slices.size()));
  }
  for (const plan::Clause& each : plan.clauses)
    out.clauses.push_back({each.id.c_str(), each.because.c_str(),
                           static_cast<std::uint16_t>(each.checks.front()),
                           static_cast<std::uint16_t>(each.checks.size())});
  addAssumptions(out, plan);
  for (const plan::Stage& each : plan.stages)
    out.stages.push_back({each.name.c_str(), each.traffic.value_or(0), windowOf(each.window),
                          each.tokens.value_or(0), each.sequences.value_or(0),
                          each.lasts.value_or(0)});
  return out;
}

PolicyTables policyOf(const Plan& plan) { return PolicyBuilder(plan).take(); }

} // namespace tikc::tables
