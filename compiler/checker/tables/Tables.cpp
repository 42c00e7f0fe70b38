#include "checker/tables/Tables.h"

#include "checker/tables/TokenPlan.h"
#include "checker/tables/Words.h"

#include <algorithm>
#include <cmath>

namespace tikc::tables {
namespace {

using plan::Plan;

static_assert(static_cast<int>(model::Comparator::LessEqual) ==
                  static_cast<int>(comparator::at_most) &&
              static_cast<int>(model::Comparator::NotEqual) ==
                  static_cast<int>(comparator::not_equal));

window windowOf(const plan::Window& row) { return {row.unit, row.amount}; }

stream streamOf(const Plan& plan, std::uint32_t which) {
  const plan::Stream& row = plan.streams[which];
  std::uint32_t wants = 0;
  for (const plan::Signal& signal : plan.signals)
    if (signal.stream == which && plan::sourceOf(signal) == source::rows)
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
  return {plan::sourceOf(row),
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
  auto arrayOf = [](fold kind) {
    return kind == fold::nonzero ? fold::share : kind == fold::squares ? fold::total : kind;
  };
  const fold array = arrayOf(plan.registers[which].fold);
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
          row.fold,
          comparatorOf(row.comparator),
          row.countsNan,
          row.threshold,
          slotOf(plan, tokens, which),
          static_cast<std::int16_t>(at.above),
          static_cast<std::int16_t>(at.below),
          static_cast<std::int16_t>(at.beyond)};
}

check checkOf(const plan::Check& row) {
  check out{};
  out.text = row.text.c_str();
  out.how = row.estimator;
  out.signal = static_cast<std::uint16_t>(row.signal);
  std::copy(row.registers.begin(), row.registers.end(), out.keepers);
  out.level = {row.levelPart, row.levelWhole};
  for (std::size_t i = 0; i < row.limits.size(); ++i)
    out.limits[i] = {comparatorOf(row.limits[i].comparator), row.limits[i].bound};
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
  out.squares = row.squares ? static_cast<std::uint16_t>(*row.squares) : no_keeper;
  out.sampled = row.input;
  return out;
}

std::vector<char> among(const std::vector<std::uint32_t>& those, std::size_t count) {
  std::vector<char> out(count, false);
  for (std::uint32_t each : those)
    out[each] = true;
  return out;
}

void addAssumptions(PlanTables& out, const Plan& plan) {
  for (const plan::Assumption& each : plan.assumptions) {
    out.assumptions.push_back(
        {each.key.c_str(), each.text.c_str(), each.subject, each.low, each.high});
    if (each.subject != quantity::unseen)
      out.watched.push_back(each.subject);
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
        out_.actions.push_back({action.kind, action.text.c_str(), action.first.value_or(0),
                                action.second.value_or(0)});
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
    out_.triggers[at] = {row.kind,
                         static_cast<std::int16_t>(row.clause ? static_cast<int>(*row.clause) : -1),
                         row.windows, static_cast<std::uint16_t>(row.parts.empty() ? 0 : first),
                         static_cast<std::uint16_t>(row.parts.size())};
  }

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
    out.checks.push_back(checkOf(each));
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
