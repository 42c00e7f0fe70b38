#include "bounds/refute/Scenario.h"

namespace tikc::bounds::population {

using model::Aggregate;
using model::ClaimId;

namespace {

bool isEqual(double a, double b) { return a == b; }
bool isEqual(const Real& a, const Real& b) {
  return a.isExact() && b.isExact() && a.lower() == b.lower();
}

template <typename N> std::vector<N> weightsOf(const Crowd<N>& crowd) {
  std::vector<N> out;
  for (const ContextKind<N>& kind : crowd.kinds)
    out.push_back(kind.weight);
  return out;
}

/// One value a kind.
template <typename N, typename Value>
std::optional<Distribution<N>>
eachKind(const Crowd<N>& crowd, const std::vector<Context<N>>& contexts, const Value& value) {
  Distribution<N> out{weightsOf(crowd), {}};
  for (std::size_t kind = 0; kind < contexts.size(); ++kind) {
    std::optional<N> one = value(contexts[kind]);
    if (!one)
      return std::nullopt;
    out.atoms.push_back({std::move(*one), N(1), kind});
  }
  return out;
}

template <typename N> N largest(const N& a, const N& b) {
  using std::max;
  return max(a, b);
}

template <typename N, typename Test> bool inEachContext(const Crowd<N>& crowd, const Test& test) {
  for (const auto& contexts : crowd.seenBy)
    for (const Context<N>& at : contexts)
      if (!test(at))
        return false;
  return true;
}

} // namespace

template <typename N> void Scenario::look(Crowd<N>& crowd) const {
  using std::log;
  if (crowd.copies[0] != crowd.copies[1])
    crowd.logCopies = log(countOf<N>(crowd.copies[0], bits) / countOf<N>(crowd.copies[1], bits));
  crowd.seenBy.clear();
  for (const View& view : views) {
    Temperatures<N> temperatures{numberOf<N>(view.firstTemperature, bits),
                                 numberOf<N>(view.secondTemperature, bits)};
    std::vector<Context<N>> contexts;
    for (const ContextKind<N>& kind : crowd.kinds) {
      const auto& first = view.firstTrains ? kind.train : kind.infer;
      const auto& second = view.secondTrains ? kind.train : kind.infer;
      bool isSame = view.firstTemperature == view.secondTemperature &&
                    isEqual(first[0], second[0]) && isEqual(first[1], second[1]);
      contexts.push_back(
          seen(kind.weight, crowd.copies, crowd.logCopies, first, second, temperatures, isSame));
    }
    crowd.seenBy.push_back(std::move(contexts));
  }
}

template <typename N> N Scenario::largestLogit(const Crowd<N>& crowd) {
  using std::abs;
  N out(0);
  for (const ContextKind<N>& kind : crowd.kinds)
    for (std::size_t i = 0; i < 2; ++i)
      out = largest(out, largest<N>(abs(kind.train[i]), abs(kind.infer[i])));
  return out;
}

template <typename N> N Scenario::largestDrift(const Crowd<N>& crowd) {
  using std::abs;
  N out(0);
  for (const ContextKind<N>& kind : crowd.kinds)
    out =
        largest(out, N(abs(N((kind.infer[0] - kind.train[0]) - (kind.infer[1] - kind.train[1])))));
  return out;
}

template <typename N> N Scenario::largestRatio(const Crowd<N>& crowd) {
  using std::exp;
  N out(1);
  for (const auto& contexts : crowd.seenBy)
    for (const Context<N>& at : contexts)
      out = largest(out, largest<N>(exp(at.gap[0]), exp(at.gap[1])));
  return out;
}

bool Scenario::hasRoomFor(const std::array<unsigned long, 2>& copies, unsigned long steps) const {
  Rational tokens = Rational(copies[0]) + Rational(copies[1]);
  return !(vocabulary && tokens > *vocabulary) && !(mostTokens && tokens > *mostTokens) &&
         !(mostSteps && Rational(steps) > *mostSteps) && Rational(steps) >= leastSteps;
}

/// Truncation that no token of the population falls to changes nothing, so it may be there.
template <typename N> bool Scenario::meetsAssumptions(const Crowd<N>& crowd) const {
  auto within = [&](const N& value, const std::optional<Rational>& limit) {
    return !limit || isAtMostAnswer(value, numberOf<N>(*limit, bits)) == Answer::Yes;
  };
  if (!within(largestLogit(crowd), logitBound) || !within(largestRatio(crowd), ratioCap) ||
      !within(largestDrift(crowd), ageDrift))
    return false;
  auto keeps = [&](const N& least, const N& most) {
    return (!leastMass || isBelowAnswer(numberOf<N>(*leastMass, bits), least) == Answer::Yes) &&
           (!leastRelative ||
            isBelowAnswer(N(numberOf<N>(*leastRelative, bits) * most), least) == Answer::Yes);
  };
  if (!leastMass && !leastRelative)
    return true;
  return inEachContext(crowd, [&](const Context<N>& at) {
    auto mass = [&](const std::array<N, 2>& of, std::size_t i) {
      return of[i] / countOf<N>(at.copies[i], bits);
    };
    auto kept = [&](const std::array<N, 2>& of) {
      return keeps(mass(of, 0), mass(of, 1)) && keeps(mass(of, 1), mass(of, 0));
    };
    return kept(at.p) && kept(at.q);
  });
}

template <typename N> bool Scenario::allows(const Crowd<N>& crowd) const {
  return meetsAssumptions(crowd) &&
         std::all_of(clauses.begin(), clauses.end(),
                     [&](const Demand& clause) { return ask(clause, crowd) == Answer::Yes; });
}

template <typename N> bool Scenario::breaksClaim(const Crowd<N>& crowd) const {
  return ask(claim, crowd) == Answer::No;
}

namespace {

Answer worse(Answer a, Answer b) { return std::min(a, b); }

/// A share that is only known to lie between two numbers.
template <typename N> Answer meetsAsShare(const N& low, const N& high, const GoalLimit<N>& limit) {
  Answer sure = meets(limit.isUpper ? high : low, limit),
         possible = meets(limit.isUpper ? low : high, limit);
  return sure == Answer::Yes ? Answer::Yes : possible == Answer::No ? Answer::No : Answer::Unclear;
}

template <typename N> N meanSquareAround(Distribution<N> of, const N& middle) {
  for (Atom<N>& atom : of.atoms) {
    N distance = atom.value - middle;
    atom.value = distance * distance;
  }
  return meanOf(of);
}

} // namespace

template <typename N> Answer Scenario::ask(const Demand& demand, const Crowd<N>& crowd) const {
  const Figures<N>& figures = demand.figures<N>();
  auto distribution = distributionOf(demand, crowd);
  if (!distribution)
    return Answer::Unclear;
  Answer out = Answer::Yes;
  for (const GoalLimit<N>& limit : figures.limits) {
    if (demand.bound->measure.aggregate == Aggregate::Quantile)
      out = worse(out, meetsAtLevel(*distribution, figures.level, limit));
    else if (demand.bound->measure.aggregate == Aggregate::Rate) {
      auto answer = [&](const N& value) { return meets(value, figures.threshold); };
      N low =
          massWhere(*distribution, [&](const N& value) { return answer(value) == Answer::Yes; });
      N high =
          massWhere(*distribution, [&](const N& value) { return answer(value) != Answer::No; });
      out = worse(out, meetsAsShare(low, high, limit));
    } else if (auto value = valueOf(demand, crowd))
      out = worse(out, meets(*value, limit));
    else
      return Answer::Unclear;
  }
  return out;
}

template <typename N>
std::optional<N> Scenario::valueOf(const Demand& demand, const Crowd<N>& crowd) const {
  const model::Measure& measure = demand.bound->measure;
  auto distribution = distributionOf(demand, crowd);
  if (!distribution)
    return std::nullopt;
  using std::sqrt;
  switch (measure.aggregate) {
  case Aggregate::None:
  case Aggregate::Mean:
    return meanOf(*distribution);
  case Aggregate::Max:
  case Aggregate::Min:
    return extremeOf(*distribution, measure.aggregate == Aggregate::Max);
  case Aggregate::Quantile:
    return quantileOf(*distribution, measure.level.get_d());
  case Aggregate::Rate:
    return massWhere(*distribution, [&](const N& value) {
      return meets(value, demand.figures<N>().threshold) != Answer::No;
    });
  case Aggregate::Sum:
  case Aggregate::Count:
    return N(0);
  case Aggregate::MeanByResponse: // all responses are equally long
    return meanOf(*distribution);
  case Aggregate::RootMeanSquare:
    return sqrt(meanSquareAround(*distribution, N(0)));
  case Aggregate::Deviation:
    return sqrt(meanSquareAround(*distribution, meanOf(*distribution)));
  case Aggregate::EffectiveShare: {
    N mean = meanOf(*distribution);
    return mean * mean / meanSquareAround(*distribution, N(0));
  }
  case Aggregate::Slope:
    break;
  }
  return std::nullopt;
}

template <typename N>
std::optional<Distribution<N>> Scenario::distributionOf(const Demand& demand,
                                                        const Crowd<N>& crowd) const {
  auto out = demand.isClaim ? ofClaim(demand, crowd) : ofMetric(demand, crowd);
  using std::abs;
  if (out && demand.bound->measure.absolute)
    for (Atom<N>& atom : out->atoms)
      atom.value = abs(atom.value);
  return out;
}

template <typename N>
std::optional<Distribution<N>> Scenario::ofMetric(const Demand& demand,
                                                  const Crowd<N>& crowd) const {
  const auto& contexts = crowd.seenBy[demand.view];
  const model::MetricInfo& metric = model::info(demand.bound->measure.metric);
  const auto& parameters = demand.figures<N>().parameters;
  if (metric.level == model::Level::Row)
    return eachKind(crowd, contexts, [&](const Context<N>& at) {
      return rowValue(metric.id, at, crowd.logCopies, bits);
    });
  Distribution<N> out{weightsOf(crowd), {}};
  auto add = [&](std::optional<N> value, const N& share, std::size_t kind) {
    if (value)
      out.atoms.push_back({std::move(*value), share, kind});
    return value.has_value();
  };
  for (std::size_t kind = 0; kind < contexts.size(); ++kind) {
    const Context<N>& at = contexts[kind];
    if (metric.level == model::Level::Token) {
      for (std::size_t i = 0; i < 2; ++i)
        if (!add(tokenValue(metric.id, parameters, at, i), at.q[i], kind))
          return std::nullopt;
      continue;
    }
    unsigned long first = 0;
    for (const Response<N>& each : responsesOf(at, crowd.steps, bits))
      if (!add(responseValue(metric.id, parameters, at, each, first++, crowd.steps, bits),
               each.share, kind))
        return std::nullopt;
  }
  return out;
}

template <typename N>
std::optional<Distribution<N>> Scenario::ofClaim(const Demand& demand,
                                                 const Crowd<N>& crowd) const {
  switch (demand.bound->measure.claim) {
  case ClaimId::Ess:
  case ClaimId::SeqEss:
    return ofEss(demand, crowd, demand.bound->measure.claim == ClaimId::SeqEss);
  case ClaimId::Ratio:
  case ClaimId::SeqRatio:
    return ofRatios(demand, crowd, demand.bound->measure.claim == ClaimId::SeqRatio);
  default:
    return eachKind(crowd, crowd.seenBy[demand.view],
                    [&](const Context<N>& at) { return claimOf(demand, at, crowd); });
  }
}

/// 1/(1 + E χ²) where no aggregate is written, each context's or response's own figure else: the
/// mean of those is the larger, so a claim about it is broken under either reading.
template <typename N>
Distribution<N> Scenario::ofEss(const Demand& demand, const Crowd<N>& crowd, bool whole) const {
  using std::exp, std::log1p;
  bool isOne = demand.bound->measure.aggregate == Aggregate::None;
  auto second = [&](const Context<N>& at) {
    N moment = log1p(Divergences<N>::chi2(at));
    return exp(whole ? N(countOf<N>(crowd.steps, bits) * moment) : moment);
  };
  auto out = *eachKind(crowd, crowd.seenBy[demand.view], [&](const Context<N>& at) {
    return std::optional(isOne ? second(at) : N(N(1) / second(at)));
  });
  if (!isOne)
    return out;
  return {{N(1)}, {{N(1) / meanOf(out), N(1), 0}}};
}

template <typename N>
Distribution<N> Scenario::ofRatios(const Demand& demand, const Crowd<N>& crowd, bool whole) const {
  using std::exp;
  Distribution<N> out{weightsOf(crowd), {}};
  const auto& contexts = crowd.seenBy[demand.view];
  for (std::size_t kind = 0; kind < contexts.size(); ++kind) {
    const Context<N>& at = contexts[kind];
    for (std::size_t i = 0; !whole && i < 2; ++i)
      out.atoms.push_back({exp(at.gap[i]), at.q[i], kind});
    if (whole)
      for (const Response<N>& each : responsesOf(at, crowd.steps, bits))
        out.atoms.push_back({each.ratio, each.share, kind});
  }
  return out;
}

template <typename N>
std::optional<N> Scenario::claimOf(const Demand& demand, const Context<N>& at,
                                   const Crowd<N>& crowd) const {
  using D = Divergences<N>;
  auto row = [&](MetricId metric) { return rowValue(metric, at, crowd.logCopies, bits); };
  switch (demand.bound->measure.claim) {
  case ClaimId::Tv:
    return D::tv(at);
  case ClaimId::KlTrainInfer:
    return D::klTrainInfer(at);
  case ClaimId::KlInferTrain:
    return D::klInferTrain(at);
  case ClaimId::Chi2:
    return D::chi2(at);
  case ClaimId::Hellinger:
    return D::hellinger(at);
  case ClaimId::Js:
    return D::js(at);
  case ClaimId::EntropyGap:
    return row(MetricId::EntropyGap);
  case ClaimId::Top1Flip:
    return row(MetricId::Top1Flip);
  case ClaimId::StepRewardDrift: // a reward that is high on the tokens that p prefers
    return numberOf<N>(stepRewardSize, bits) * D::tv(at);
  case ClaimId::PgBias: // halves of each class have opposite scores, and advantages that undo it
    return numberOf<N>(2 * gradient, bits) * D::tv(at);
  case ClaimId::SeqTv:
    return responseTv(responsesOf(at, crowd.steps, bits));
  case ClaimId::SeqKl:
    return countOf<N>(crowd.steps, bits) * D::klInferTrain(at);
  case ClaimId::RewardDrift:
    return numberOf<N>(rewardSize, bits) * responseTv(responsesOf(at, crowd.steps, bits));
  case ClaimId::DiscountedRewardDrift:
    return discountedDrift(at, crowd.steps);
  default:
    return std::nullopt;
  }
}

/// The reward of a step is high where the trainer prefers the response so far.
template <typename N> N Scenario::discountedDrift(const Context<N>& at, unsigned long steps) const {
  N out(0), factor(1);
  for (unsigned long t = 1; t <= steps; ++t) {
    out = out + factor * responseTv(responsesOf(at, t, bits));
    factor = factor * numberOf<N>(discount, bits);
  }
  return numberOf<N>(stepRewardSize, bits) * out;
}

#define TIKC_INSTANTIATE(N)                                                                        \
  template void Scenario::look(Crowd<N>&) const;                                                   \
  template bool Scenario::allows(const Crowd<N>&) const;                                           \
  template bool Scenario::breaksClaim(const Crowd<N>&) const;                                      \
  template Answer Scenario::ask(const Demand&, const Crowd<N>&) const;                             \
  template std::optional<N> Scenario::valueOf(const Demand&, const Crowd<N>&) const;               \
  template bool Scenario::meetsAssumptions(const Crowd<N>&) const;                                 \
  template N Scenario::largestLogit(const Crowd<N>&);                                              \
  template N Scenario::largestDrift(const Crowd<N>&);                                              \
  template N Scenario::largestRatio(const Crowd<N>&);
TIKC_INSTANTIATE(double)
TIKC_INSTANTIATE(Real)
#undef TIKC_INSTANTIATE

} // namespace tikc::bounds::population
