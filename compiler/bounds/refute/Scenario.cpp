#include "bounds/refute/Scenario.h"

#include "bounds/facts/Age.h"

#include <fmt/format.h>

namespace tikc::bounds::population {

using model::Aggregate;
using model::ClaimId;
using model::Comparator;

namespace {

Real inNats(const model::Amount& quantity, unsigned bits) {
  Real value(quantity.scaled(), bits);
  return quantity.unit == model::Unit::Bit ? value * log(Real(Rational(2), bits)) : value;
}

bool isEvaluable(const model::Measure& measure) {
  const model::MetricInfo& metric = model::info(measure.metric);
  bool isZero = metric.id == MetricId::MissingMass || metric.id == MetricId::Nonfinite ||
                metric.id == MetricId::RouteFlip;
  switch (measure.aggregate) {
  case Aggregate::Sum:
  case Aggregate::Count:
    return isZero && !measure.threshold;
  case Aggregate::Slope:
  case Aggregate::Deviation:
  case Aggregate::EffectiveShare:
  case Aggregate::MeanByResponse:
  case Aggregate::None:
    return false;
  case Aggregate::Rate:
    if (!measure.threshold || measure.threshold->comparator == Comparator::Equal ||
        measure.threshold->comparator == Comparator::NotEqual)
      return false;
    break;
  default:
    break;
  }
  return metric.level == model::Level::Row || metric.level == model::Level::Token ||
         metric.level == model::Level::Sequence;
}

/// Reads the contract for one goal; any part that it cannot read makes it give up.
class ScenarioReader {
public:
  ScenarioReader(const model::Contract& contract, const Goal& goal, std::size_t split,
                 unsigned bits)
      : contract_(contract), laws_(contract), goal_(goal), split_(split) {
    out_.bits = bits;
  }

  std::optional<Scenario> read() {
    // One population stands for every slice, with the declared settings and whole responses.
    if (laws_.slicesCutResponses() || laws_.temperatureVaries() || laws_.cutVaries() ||
        contract_.chain.size() < 2)
      return std::nullopt;
    readPolicy();
    if (!readKernels() || !readAssumptions() || !readClaim())
      return std::nullopt;
    for (const model::Clause& clause : contract_.clauses)
      if (!clause.directive && !readClause(clause))
        return std::nullopt;
    return std::move(out_);
  }

private:
  void readPolicy() {
    const model::Policy& policy = contract_.policy;
    auto take = [](const std::optional<model::Number>& number) {
      return number ? std::optional(number->value) : std::nullopt;
    };
    out_.vocabulary = take(policy.vocabulary);
    out_.logitBound = take(policy.logitBound);
    if (policy.horizon)
      out_.mostSteps = policy.horizon->scaled();
  }

  static void raise(std::optional<Rational>& least, const Rational& value) {
    least = least ? std::max(*least, value) : value;
  }

  /// What a kernel cuts has to be nothing, and what it logs has to be what it samples from.
  bool readKernels() {
    for (const model::KernelLaws& each : laws_.kernels()) {
      if (each.isGreedy() || (each.logsRaw && each.temperature != 1))
        return false;
      for (const model::KernelLaws::Cut& cut : each.cuts) {
        const Rational& setting = cut.setting->value;
        if (cut.key == "top_p")
          raise(out_.leastMass, 1 - setting);
        else if (cut.key == "min_p")
          raise(out_.leastRelative, setting);
        else
          out_.mostTokens = out_.mostTokens ? std::min(*out_.mostTokens, setting) : setting;
      }
    }
    out_.temperature = laws_.kernels().back().temperature.get_d();
    return true;
  }

  bool readAssumptions() {
    const model::Assumptions& assumptions = contract_.assumptions;
    if (!assumptions.layers.empty() || assumptions.headNorm)
      return false;
    if (assumptions.support && assumptions.support->kind == model::SupportKind::TopP)
      raise(out_.leastMass, 1 - assumptions.support->value);
    if (isAged(contract_) && split_ == 1)
      out_.ageDrift = assumptions.staleness->steps.value * assumptions.staleness->logitOsc.value;
    if (assumptions.ratioCap)
      out_.ratioCap = assumptions.ratioCap->value;
    auto lengthAtMost = [&](const std::optional<model::Amount>& length) {
      if (length)
        out_.mostSteps =
            out_.mostSteps ? std::min(*out_.mostSteps, length->scaled()) : length->scaled();
    };
    auto lengths = [&](const auto& part) {
      lengthAtMost(part.meanLength);
      if (part.leastMeanLength)
        out_.leastSteps = std::max(out_.leastSteps, part.leastMeanLength->scaled());
    };
    lengths(assumptions);
    for (const model::Slice& slice : contract_.slices)
      lengths(slice);
    return true;
  }

  static constexpr std::size_t noView = static_cast<std::size_t>(-1);

  View viewAt(std::size_t first, std::size_t second) const {
    return {first < split_, second < split_, laws_.kernels()[first].temperature,
            laws_.kernels()[second].temperature};
  }

  std::size_t viewOf(const model::Statement& statement) {
    auto first = statement.link ? laws_.placeOf(statement.link->from.text) : std::size_t{0};
    auto second = statement.link ? laws_.placeOf(statement.link->to.text) : laws_.server();
    if (!first || !second)
      return noView;
    View view = viewAt(*first, *second);
    auto known = std::find(out_.views.begin(), out_.views.end(), view);
    if (known == out_.views.end())
      known = out_.views.insert(known, view);
    return static_cast<std::size_t>(known - out_.views.begin());
  }

  /// Of contexts all kernels draw the same kinds. Samples are drawn by the view's second kernel, so
  /// the kernel that drew those of the clause must have the same law.
  bool drawsAs(const model::Clause& clause) const {
    std::uint32_t drawer = laws_.drawerOf(clause);
    auto second = clause.link ? laws_.placeOf(clause.link->to.text) : laws_.server();
    return drawer != model::Drawer::ofText && second &&
           viewAt(drawer, drawer) == viewAt(*second, *second);
  }

  template <typename N> static GoalLimit<N> limit(const Real& bound, bool isUpper, bool isStrict) {
    if constexpr (std::is_same_v<N, double>)
      return {bound.approximate(), isUpper, isStrict};
    else
      return {bound, isUpper, isStrict};
  }

  void addLimit(Demand& demand, const model::Amount& quantity, bool isUpper, bool isStrict) {
    Real bound = inNats(quantity, out_.bits);
    demand.search.limits.push_back(limit<double>(bound, isUpper, isStrict));
    demand.exact.limits.push_back(limit<Real>(bound, isUpper, isStrict));
  }

  void addLimits(Demand& demand, const model::Bound& bound) {
    bool isOpen = !bound.upper && isStrict(bound.comparator);
    if (limitsBelow(bound))
      addLimit(demand, bound.limit, false, isOpen);
    if (limitsAbove(bound))
      addLimit(demand, bound.upper.value_or(bound.limit), true, isOpen);
  }

  Demand demandOf(const model::Statement& statement, std::size_t index) {
    const model::Bound& bound = statement.bounds[index];
    Demand out;
    out.bound = &bound;
    out.view = viewOf(statement);
    const model::Measure& measure = bound.measure;
    for (const Rational& parameter : measure.parameters) {
      out.search.parameters.push_back(parameter.get_d());
      out.exact.parameters.emplace_back(parameter, out_.bits);
    }
    out.search.level = measure.level.get_d();
    out.exact.level = Real(measure.level, out_.bits);
    if (measure.threshold) {
      bool isUpper = isBelow(measure.threshold->comparator);
      bool isOpen = isStrict(measure.threshold->comparator);
      Real threshold = inNats(measure.threshold->bound, out_.bits);
      out.search.threshold = limit<double>(threshold, isUpper, isOpen);
      out.exact.threshold = limit<Real>(threshold, isUpper, isOpen);
    }
    describe(out, statement, index);
    return out;
  }

  static void describe(Demand& demand, const model::Statement& statement, std::size_t index) {
    const model::Bound& bound = statement.bounds[index];
    const auto& comparisons = statement.written.comparisons;
    demand.what = index < comparisons.size() && comparisons.size() == statement.bounds.size()
                      ? model::print(comparisons[index].subject)
                      : statement.id.text;
    demand.limit =
        bound.upper
            ? fmt::format("in [{}, {}]", model::print(bound.limit), model::print(*bound.upper))
            : fmt::format("{} {}", model::symbol(bound.comparator), model::print(bound.limit));
  }

  bool readClause(const model::Clause& clause) {
    for (std::size_t i = 0; i < clause.bounds.size(); ++i) {
      const model::MetricInfo& metric = model::info(clause.bounds[i].measure.metric);
      if (metric.level == model::Level::Request)
        continue; // about requests, of which a population says nothing
      bool isSampled = metric.level != model::Level::Row;
      if (isSampled && !drawsAs(clause))
        return false;
      if (!isEvaluable(clause.bounds[i].measure) ||
          clause.bounds[i].comparator == Comparator::NotEqual)
        return false;
      Demand demand = demandOf(clause, i);
      addLimits(demand, clause.bounds[i]);
      if (demand.view == noView)
        return false;
      out_.clauses.push_back(std::move(demand));
    }
    return true;
  }

  bool readClaim() {
    const model::Claim& claim = contract_.claims[goal_.claim];
    const model::Bound& bound = claim.bounds[goal_.bound];
    Aggregate aggregate = bound.measure.aggregate;
    bool isKnown = aggregate == Aggregate::None || aggregate == Aggregate::Mean ||
                   aggregate == Aggregate::Max || aggregate == Aggregate::Min ||
                   aggregate == Aggregate::Quantile;
    if (!isKnown || bound.comparator == Comparator::NotEqual || !readAmounts(bound.measure.claim))
      return false;
    Demand demand = demandOf(claim, goal_.bound);
    demand.isClaim = true;
    addLimits(demand, bound);
    auto keepSide = [&](auto& limits) {
      std::erase_if(limits, [&](const auto& each) { return each.isUpper == goal_.lower; });
    };
    keepSide(demand.search.limits);
    keepSide(demand.exact.limits);
    if (demand.view == noView || demand.exact.limits.size() != 1)
      return false;
    out_.claim = std::move(demand);
    return true;
  }

  /// What a claim multiplies a distance with.
  bool readAmounts(ClaimId claim) {
    const model::Assumptions& assumptions = contract_.assumptions;
    auto length = [](const std::optional<model::Range>& range) {
      return range ? std::optional(Rational(range->high - range->low)) : std::nullopt;
    };
    switch (claim) {
    case ClaimId::RewardDrift: {
      // A reward of two values meets all that can be assumed of one, once they are near enough.
      std::optional<Rational> size = length(assumptions.reward);
      auto narrow = [&](const Rational& limit) { size = size ? std::min(*size, limit) : limit; };
      if (assumptions.rewardSigma)
        narrow(2 * assumptions.rewardSigma->value);
      if (assumptions.rewardLipschitz)
        narrow(assumptions.rewardLipschitz->value);
      out_.rewardSize = size.value_or(Rational(0));
      return size.has_value();
    }
    case ClaimId::DiscountedRewardDrift:
      if (!assumptions.discount)
        return false;
      out_.discount = assumptions.discount->value;
      [[fallthrough]];
    case ClaimId::StepRewardDrift:
      out_.stepRewardSize = length(assumptions.stepReward).value_or(Rational(0));
      return assumptions.stepReward.has_value();
    case ClaimId::PgBias:
      if (!assumptions.advantage || !assumptions.scoreNorm || assumptions.group ||
          !assumptions.estimator || !assumptions.correction)
        return false;
      out_.gradient = assumptions.advantage->value * assumptions.scoreNorm->value;
      return assumptions.estimator->value == model::GradientEstimator::Step &&
             assumptions.correction->id == model::CallId::NoCorrection;
    default:
      return true;
    }
  }

  const model::Contract& contract_;
  const model::Laws laws_;
  const Goal& goal_;
  std::size_t split_;
  Scenario out_;
};

bool isOfResponses(ClaimId claim) { return model::info(claim).level == model::Level::Sequence; }

} // namespace

std::optional<Scenario> Scenario::of(const model::Contract& contract, const Goal& goal,
                                     std::size_t split, unsigned bits) {
  if (goal.claim >= contract.claims.size() ||
      goal.bound >= contract.claims[goal.claim].bounds.size())
    return std::nullopt;
  return ScenarioReader(contract, goal, split, bits).read();
}

bool Scenario::isAboutResponses() const { return isOfResponses(claim.bound->measure.claim); }

bool Scenario::measuresResponses() const {
  return std::any_of(clauses.begin(), clauses.end(), [](const Demand& clause) {
    return model::info(clause.bound->measure.metric).level == model::Level::Sequence;
  });
}

bool Scenario::measures(MetricId metric) const {
  return std::any_of(clauses.begin(), clauses.end(),
                     [&](const Demand& clause) { return clause.bound->measure.metric == metric; });
}

} // namespace tikc::bounds::population
