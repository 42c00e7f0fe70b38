#include "tables/Tables.h"

#include "tables/TokenPlan.h"
#include "tables/Words.h"

#include <algorithm>
#include <cmath>

namespace tikc::tables {
namespace {

using plan::Plan;

comparator asRuntime(model::Comparator of) { return comparatorOf(of); }
static_assert(static_cast<int>(model::Comparator::LessEqual) ==
                  static_cast<int>(comparator::at_most) &&
              static_cast<int>(model::Comparator::NotEqual) ==
                  static_cast<int>(comparator::not_equal));

window windowOf(const plan::Window& of) { return {static_cast<window_unit>(of.unit), of.amount}; }
static_assert(static_cast<int>(plan::Window::Unit::Steps) == static_cast<int>(window_unit::steps));

source asRuntime(plan::StreamSource of) { return static_cast<source>(of); }
static_assert(static_cast<int>(plan::StreamSource::Replays) == static_cast<int>(source::replays));

fold asRuntime(plan::Fold of) { return static_cast<fold>(of); }
static_assert(static_cast<int>(plan::Fold::Moments) == static_cast<int>(fold::moments));

input asRuntime(plan::Input of) { return static_cast<input>(of); }
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
  const plan::Stream& of = plan.streams[which];
  std::uint32_t wants = 0;
  for (const plan::Signal& signal : plan.signals)
    if (signal.stream == which && plan::sourceOf(signal) == plan::StreamSource::Rows)
      wants |= 1U << static_cast<unsigned>(figureOf(signal.figure));
  return {of.trainTemperature,
          of.inferTemperature,
          wants,
          of.allowsMissing ? mask_rule::lenient : mask_rule::strict,
          {of.cut.topP, of.cut.minP, of.cut.topK},
          of.drawer.empty()};
}

/// Parameters are ratios where the figure is one, else their logarithms.
signal signalOf(const plan::Signal& of) {
  const bool isRatio = plan::info(of.figure).range == figure_range::held;
  auto ratio = [&](std::size_t i) {
    double value = i < of.parameters.size() ? of.parameters[i] : isRatio ? 0 : 1;
    return isRatio ? value : std::log(value);
  };
  return {asRuntime(plan::sourceOf(of)),
          figureOf(of.figure),
          static_cast<std::uint16_t>(of.stream),
          of.absolute,
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
  const plan::Register& of = plan.registers[which];
  const Keeping& at = tokens.keepings[which];
  return {static_cast<std::uint16_t>(of.signal),
          at.byTokens ? reading::tokens : reading::cell,
          asRuntime(of.fold),
          asRuntime(of.comparator),
          of.countsNan,
          of.threshold,
          slotOf(plan, tokens, which),
          static_cast<std::int16_t>(at.above),
          static_cast<std::int16_t>(at.below),
          static_cast<std::int16_t>(at.beyond)};
}

check checkOf(const Plan& plan, const plan::Check& of) {
  check out{};
  out.text = of.text.c_str();
  out.how = estimatorOf(of, plan);
  out.signal = static_cast<std::uint16_t>(of.signal);
  std::copy(of.registers.begin(), of.registers.end(), out.keepers);
  out.level = {of.levelPart, of.levelWhole};
  for (std::size_t i = 0; i < of.limits.size(); ++i)
    out.limits[i] = {asRuntime(of.limits[i].comparator), of.limits[i].bound};
  out.limit_count = static_cast<std::uint8_t>(of.limits.size());
  out.alpha = of.alpha.value_or(0);
  out.least = of.least;
  out.low = of.low.value_or(0);
  out.high = of.high.value_or(0);
  out.window = static_cast<std::uint16_t>(of.window);
  out.history = static_cast<std::uint16_t>(of.history);
  out.absolute = of.absolute;
  out.on_mixture = of.onMixture;
  out.worst = of.worst ? static_cast<std::uint16_t>(*of.worst) : no_keeper;
  out.sampled = asRuntime(of.input);
  return out;
}

std::vector<char> among(const std::vector<std::uint32_t>& those, std::size_t count) {
  std::vector<char> out(count, false);
  for (std::uint32_t each : those)
    out[each] = true;
  return out;
}

quantity asRuntime(plan::Watchable of) { return static_cast<quantity>(of); }
static_assert(static_cast<int>(plan::Watchable::Unseen) == static_cast<int>(quantity::unseen));

void addAssumptions(PlanTables& out, const Plan& plan) {
  for (const plan::Assumption& each : plan.assumptions) {
    out.assumptions.push_back(
        {each.key.c_str(), each.text.c_str(), asRuntime(each.of), each.low, each.high});
    if (each.of != plan::Watchable::Unseen)
      out.watched.push_back(asRuntime(each.of));
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

  void add(const plan::Rule& of) {
    const std::uint16_t when = add(of.when), until = of.until ? add(*of.until) : never;
    out_.rules.push_back({of.id.c_str(), when, until, static_cast<std::uint16_t>(out_.steps.size()),
                          static_cast<std::uint16_t>(of.steps.size())});
    for (const plan::Step& step : of.steps) {
      out_.steps.push_back({step.windows, static_cast<std::uint16_t>(out_.actions.size()),
                            static_cast<std::uint16_t>(step.actions.size())});
      for (const plan::Action& action : step.actions)
        out_.actions.push_back({static_cast<action_kind>(action.kind), action.text.c_str(),
                                action.first.value_or(0), action.second.value_or(0)});
    }
    out_.actsOn.push_back(among(of.slices, plan_.slices.size()));
  }

  std::uint16_t add(const plan::Trigger& of) {
    const std::size_t at = out_.triggers.size();
    out_.triggers.emplace_back();
    fill(at, of);
    return static_cast<std::uint16_t>(at);
  }

  void fill(std::size_t at, const plan::Trigger& of) {
    const std::size_t first = out_.triggers.size();
    out_.triggers.resize(first + of.parts.size());
    for (std::size_t i = 0; i < of.parts.size(); ++i)
      fill(first + i, of.parts[i]);
    out_.triggers[at] = {static_cast<trigger_kind>(of.kind),
                         static_cast<std::int16_t>(of.clause ? static_cast<int>(*of.clause) : -1),
                         of.windows, static_cast<std::uint16_t>(of.parts.empty() ? 0 : first),
                         static_cast<std::uint16_t>(of.parts.size())};
  }
  static_assert(static_cast<int>(plan::Trigger::Kind::Or) == static_cast<int>(trigger_kind::some));
  static_assert(static_cast<int>(plan::Action::Kind::Rollback) ==
                static_cast<int>(action_kind::rollback));

  const Plan& plan_;
  PolicyTables out_;
};

} // namespace

comparator comparatorOf(model::Comparator of) { return static_cast<comparator>(of); }

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
