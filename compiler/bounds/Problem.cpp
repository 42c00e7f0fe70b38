#include "bounds/Problem.h"

#include "bounds/Evaluate.h"
#include "bounds/Readings.h"
#include "metrics/Metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tikc::bounds {

using model::Aggregate;
using model::ClaimId;
using model::Comparator;
using model::Contract;
using model::MetricId;

namespace {

using Side = QuantityInfo::Side;

class Poser {
public:
  Poser(const Contract& contract, unsigned bits) : contract_(contract) { problem_.bits = bits; }

  Problem take() {
    layOut();
    if (problem_.links.empty())
      return std::move(problem_);
    for (std::uint32_t link = 0; link < problem_.links.size(); ++link)
      poseSampling(link);
    posePolicy();
    poseAssumptions();
    poseGradient();
    for (const model::Clause& clause : contract_.clauses)
      poseClause(clause);
    for (std::size_t i = 0; i < contract_.claims.size(); ++i)
      poseClaim(i);
    return std::move(problem_);
  }

private:
  // The places.

  void layOut() {
    Rational whole = 0;
    bool known = true;
    for (const model::Slice& slice : contract_.slices) {
      problem_.slices.push_back({slice.name.text, false, {}, {}});
      known = known && slice.weight;
      if (slice.weight)
        whole += slice.weight->scaled();
      if (slice.when)
        problem_.slicesCutResponses = problem_.slicesCutResponses || cutsResponses(*slice.when);
    }
    bool nothingRemains = known && !contract_.slices.empty() && whole >= 1;
    if (!contract_.slices.empty() && !nothingRemains)
      problem_.slices.push_back({"other", false, {}, {}});
    problem_.slices.push_back({"*", true, {}, {}});
    for (std::uint32_t i = 0; i < contract_.slices.size(); ++i) {
      const model::Slice& slice = contract_.slices[i];
      Place place{i, 0};
      if (slice.weight)
        problem_.slices[i].share =
            give(Quantity::Share, slice.weight->scaled(),
                 origin(Origin::Kind::Fact, "weight", slice.weight->span), place);
      if (slice.tokenWeight)
        problem_.slices[i].tokenShare =
            give(Quantity::Share, slice.tokenWeight->scaled(),
                 origin(Origin::Kind::Fact, "token_weight", slice.tokenWeight->span), place);
    }
    layOutLinks();
  }

  static bool cutsResponses(const model::Expr& expr) {
    if (expr.kind == model::Expr::Kind::Name &&
        (expr.text == "position" || expr.text == "response_tokens"))
      return true;
    return std::any_of(expr.arguments.begin(), expr.arguments.end(), cutsResponses);
  }

  /// The whole chain is the first link; others are those that clauses and claims name.
  void layOutLinks() {
    if (contract_.chain.size() < 2)
      return;
    problem_.links.push_back({contract_.chain.front().text, contract_.chain.back().text});
    for (const model::Clause& clause : contract_.clauses)
      if (clause.link)
        linkOf(*clause.link);
    for (const model::Claim& claim : contract_.claims)
      if (claim.link)
        linkOf(*claim.link);
    for (auto& link : problem_.links) {
      std::vector<std::uint32_t> path;
      findPaths(link, link.from, path);
    }
  }

  std::uint32_t linkOf(const model::Link& written) {
    auto known = std::find_if(problem_.links.begin(), problem_.links.end(), [&](const auto& link) {
      return link.from == written.from.text && link.to == written.to.text;
    });
    if (known == problem_.links.end())
      known = problem_.links.insert(known, {written.from.text, written.to.text,
                                            written.to.text == contract_.chain.back().text});
    return static_cast<std::uint32_t>(known - problem_.links.begin());
  }

  void findPaths(Problem::Link& link, const std::string& from, std::vector<std::uint32_t>& path) {
    constexpr std::size_t mostPaths = 16;
    if (from == link.to) {
      if (path.size() > 1 && link.paths.size() < mostPaths)
        link.paths.push_back(path);
      return;
    }
    // Links run along the chain, so a path cannot come back.
    for (std::uint32_t i = 0; i < problem_.links.size(); ++i)
      if (problem_.links[i].from == from) {
        path.push_back(i);
        findPaths(link, problem_.links[i].to, path);
        path.pop_back();
      }
  }

  // Inputs.

  Origin origin(Origin::Kind kind, std::string_view name, const Span& span) const {
    return {kind, std::string(name), {}, span};
  }

  FactId add(Key key, Rational bound, Origin from, Place place, bool strict = false) {
    Fact fact;
    fact.key = std::move(key);
    fact.place = place;
    fact.otherEnd = bound;
    fact.bound = std::move(bound);
    fact.strict = strict;
    fact.origin = std::move(from);
    FactId id = problem_.facts.add(std::move(fact));
    problem_.inputs.push_back(id);
    return id;
  }

  FactId give(Quantity quantity, Rational value, Origin from, Place place = everywhere) {
    return add({quantity, Quantifier::Given, 0}, std::move(value), std::move(from), place);
  }

  void giveNumber(Quantity quantity, const std::optional<model::Number>& number,
                  std::string_view key, Origin::Kind kind = Origin::Kind::Assumption) {
    if (number)
      give(quantity, number->value, origin(kind, key, number->span));
  }

  const model::Kernel* kernel(const std::string& name) const {
    for (const model::Kernel& each : contract_.kernels)
      if (each.name.text == name)
        return &each;
    return nullptr;
  }

  struct Setting {
    Rational value = 1;
    Origin from{Origin::Kind::Default, "temperature", "temperature: 1", {}};
  };

  Setting temperatureOf(const std::string& name) const {
    const model::Kernel* found = kernel(name);
    const auto& own = found ? found->sampling.temperature : contract_.policy.temperature;
    const auto& number = own ? own : contract_.policy.temperature;
    if (!number)
      return {};
    return {number->value, origin(Origin::Kind::Fact, "temperature", number->span)};
  }

  void poseSampling(std::uint32_t link) {
    Setting train = temperatureOf(problem_.links[link].from);
    Setting infer = temperatureOf(problem_.links[link].to);
    Place place{everywhere.slice, link};
    if (train.value == 0 && infer.value == 0) {
      give(Quantity::Greedy, 0, infer.from, place);
      return;
    }
    if (train.value == 0 || infer.value == 0) {
      problem_.passedOver.push_back("one kernel samples greedily and the other does not");
      return;
    }
    if (train.value == infer.value)
      give(Quantity::Temperature, infer.value, infer.from, place);
    else {
      give(Quantity::TrainTemperature, train.value, train.from, place);
      give(Quantity::InferTemperature, infer.value, infer.from, place);
    }
  }

  void posePolicy() {
    const model::Policy& policy = contract_.policy;
    giveNumber(Quantity::Vocabulary, policy.vocabulary, "vocabulary", Origin::Kind::Fact);
    giveNumber(Quantity::LogitBound, policy.logitBound, "logit_bound", Origin::Kind::Fact);
    if (policy.horizon)
      give(Quantity::Horizon, policy.horizon->scaled(),
           origin(Origin::Kind::Fact, "horizon", policy.horizon->span));
  }

  bool isGreedy(std::uint32_t link) const {
    const Problem::Link& between = problem_.links[link];
    return temperatureOf(between.from).value == 0 || temperatureOf(between.to).value == 0;
  }

  /// A kernel that is declared to cut its distribution contradicts an assumption of full support.
  bool isTruncated() const {
    return std::any_of(
        contract_.kernels.begin(), contract_.kernels.end(), [&](const model::Kernel& each) {
          bool inChain =
              std::any_of(contract_.chain.begin(), contract_.chain.end(),
                          [&](const model::Name& name) { return name.text == each.name.text; });
          const model::Sampling& sampling = each.sampling;
          return inChain && (temperatureOf(each.name.text).value == 0 ||
                             (sampling.topP && sampling.topP->value < 1) || sampling.topK ||
                             (sampling.minP && sampling.minP->value > 0));
        });
  }

  void poseAssumptions() {
    const model::Assumptions& given = contract_.assumptions;
    if (given.support)
      poseSupport(*given.support);
    auto range = [&](Quantity quantity, const std::optional<model::Range>& interval,
                     std::string_view key) {
      if (interval)
        give(quantity, interval->high - interval->low,
             origin(Origin::Kind::Assumption, key, interval->span));
    };
    range(Quantity::RewardRange, given.reward, "reward");
    range(Quantity::StepRewardRange, given.stepReward, "step_reward");
    if (given.stepReward) {
      // A response that has ended earns nothing more.
      Rational low = given.stepReward->low, high = given.stepReward->high, zero = 0;
      give(Quantity::StepRewardReach, std::max(high, zero) - std::min(low, zero),
           origin(Origin::Kind::Assumption, "step_reward", given.stepReward->span));
    }
    giveNumber(Quantity::RewardSigma, given.rewardSigma, "reward_sigma");
    giveNumber(Quantity::RewardLipschitz, given.rewardLipschitz, "reward_lipschitz");
    giveNumber(Quantity::Advantage, given.advantage, "advantage");
    giveNumber(Quantity::GroupSize, given.group, "group");
    giveNumber(Quantity::ScoreNorm, given.scoreNorm, "score_norm");
    giveNumber(Quantity::Discount, given.discount, "discount");
    giveNumber(Quantity::RatioCap, given.ratioCap, "ratio_cap");
    giveNumber(Quantity::HeadNorm, given.headNorm, "head_norm");
    if (given.meanLength)
      give(Quantity::MeanLength, given.meanLength->scaled(),
           origin(Origin::Kind::Assumption, "mean_length", given.meanLength->span));
    poseLayers(given);
  }

  void poseLayers(const model::Assumptions& given) {
    if (given.layers.empty())
      return;
    // They lie between the trainer and the server, whichever kernels a chain has between.
    constexpr Place whole{everywhere.slice, 0};
    Fact drift;
    drift.key = {Quantity::HiddenDrift, Quantifier::Given, 0};
    drift.place = whole;
    drift.lemma = &lemmas::netLip;
    Rational total = 0;
    Origin from = origin(Origin::Kind::Assumption, "layers",
                         join(given.layers.front().span, given.layers.back().span));
    for (const model::Layer& layer : given.layers) {
      FactId error = give(Quantity::LayerError, layer.error.value, from, whole);
      FactId gain =
          give(Quantity::LayerGain, layer.gain ? layer.gain->value : Rational(1), from, whole);
      for (Rational i = 0; i < (layer.repeat ? layer.repeat->value : Rational(1)); i += 1) {
        drift.premises.insert(drift.premises.end(), {error, gain});
        total = total * problem_.facts[gain].bound + problem_.facts[error].bound;
      }
    }
    drift.bound = drift.otherEnd = total;
    problem_.inputs.push_back(problem_.facts.add(std::move(drift)));
  }

  void poseSupport(const model::Support& support) {
    auto from = [&](std::string_view key) {
      return origin(Origin::Kind::Assumption, key, support.span);
    };
    switch (support.kind) {
    case model::SupportKind::Full:
      if (isTruncated()) {
        problem_.passedOver.push_back(
            "`support: full` is not used: a kernel is declared to cut its distribution");
        return;
      }
      hasFullSupport_ = true;
      give(Quantity::FullSupport, 0, from("support"));
      add({Quantity::MissingMass, Quantifier::Sup, 0}, 0, from("support"), everywhere);
      return;
    case model::SupportKind::MissingMass:
      add({Quantity::MissingMass, Quantifier::Sup, 0}, support.value, from("missing_mass"),
          everywhere);
      return;
    case model::SupportKind::TopP:
      give(Quantity::CutMass, 1 - support.value, from("top_p"));
      return;
    }
  }

  /// Which kind of estimator it is, and what its correction leaves.
  void poseGradient() {
    const model::Assumptions& given = contract_.assumptions;
    if (!given.estimator || !given.correction)
      return;
    const model::Call& correction = *given.correction;
    Origin from = origin(Origin::Kind::Assumption, "estimator", given.estimator->span);
    Origin weights = origin(Origin::Kind::Assumption, "correction", correction.expr.span);
    bool weighted = correction.id != model::CallId::NoCorrection;
    problem_.isOneToken = given.estimator->value == model::Estimator::Step;
    give(cellOf(given.estimator->value, weighted, given.group.has_value()), 0, from);
    if (problem_.isOneToken && given.group)
      problem_.passedOver.emplace_back(
          "`group` ties a token's advantage to whole responses, so `estimator: step` does not "
          "describe it: `token`, `token_mc` and `sequence` do");
    bool reachesAll = weighted && !given.group &&
                      (given.estimator->value == model::Estimator::Step ||
                       given.estimator->value == model::Estimator::Sequence);
    if (reachesAll)
      add({Quantity::PgPrefix, Quantifier::Mean, 0}, 0, from, everywhere);
    auto argument = [&](std::size_t i) { return correction.expr.arguments[i].quantity.scaled(); };
    switch (correction.id) {
    case model::CallId::ImportanceSampling:
      add({Quantity::PgCut, Quantifier::Mean, 0}, 0, weights, everywhere);
      break;
    case model::CallId::TruncatedIs:
      give(Quantity::Cap, argument(0), weights);
      break;
    case model::CallId::MaskedIs:
      give(Quantity::MaskLow, argument(0), weights);
      give(Quantity::MaskHigh, argument(1), weights);
      break;
    case model::CallId::Ppo:
      give(Quantity::MaskLow, 1 - argument(0), weights);
      give(Quantity::MaskHigh, 1 + argument(1), weights);
      break;
    case model::CallId::Clip:
      give(Quantity::ClipWidth, argument(0), weights);
      break;
    default:
      break;
    }
  }

  static Quantity cellOf(model::Estimator estimator, bool weighted, bool grouped) {
    using enum model::Estimator;
    if (grouped) {
      if (estimator == Step)
        return weighted ? Quantity::GroupStepWeighted : Quantity::GroupStepPlain;
      if (!weighted)
        return Quantity::GroupPlain;
      return estimator == Sequence ? Quantity::GroupWhole : Quantity::GroupWeighted;
    }
    switch (estimator) {
    case Step:
      return weighted ? Quantity::StepWeighted : Quantity::StepPlain;
    case Token:
      return weighted ? Quantity::CausalWeighted : Quantity::CausalPlain;
    case TokenMonteCarlo:
      return weighted ? Quantity::ReturnWeighted : Quantity::ReturnPlain;
    case Sequence:
      return weighted ? Quantity::WholeWeighted : Quantity::ReturnPlain;
    }
    return Quantity::StepPlain;
  }

  // Clauses.

  /// The slices that a scope names, as indices.
  std::vector<std::uint32_t> slicesOf(const model::Scope& scope) const {
    if (scope.kind == model::Scope::Kind::All || problem_.slices.size() == 1)
      return {problem_.mixture()};
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < problem_.mixture(); ++i) {
      bool named =
          scope.kind == model::Scope::Kind::EachSlice ||
          std::any_of(scope.slices.begin(), scope.slices.end(), [&](const model::Name& name) {
            return name.text == problem_.slices[i].name;
          });
      if (named)
        out.push_back(i);
    }
    return out;
  }

  /// Log-probs that were not taken from the distribution that was sampled are no sample of p/q.
  bool logsWhatItSamples(std::uint32_t link) const {
    if (!problem_.links[link].endsAtServer)
      return false;
    const model::Kernel* server = kernel(problem_.links[link].to);
    if (!server || !server->logprobs || server->logprobs->value != "raw")
      return true;
    return temperatureOf(server->name.text).value == 1 && hasFullSupport_;
  }

  void poseClause(const model::Clause& clause) {
    if (clause.family != model::Family::Numerical && clause.family != model::Family::Statistical)
      return;
    std::uint32_t link = clause.link ? linkOf(*clause.link) : 0;
    for (const model::Bound& bound : clause.bounds)
      for (const Limit& limit : limitsOf(bound))
        poseLimit(clause, bound, limit, link);
  }

  void poseLimit(const model::Clause& clause, const model::Bound& bound, const Limit& limit,
                 std::uint32_t link) {
    const auto& metric = metrics::info(bound.measure.metric);
    for (const Reading& reading : readingsOf(bound.measure, limit.side)) {
      if (metric.input == metrics::Input::Logprobs && !logsWhatItSamples(link)) {
        std::string_view why =
            problem_.links[link].endsAtServer
                ? "the inference kernel logs raw log-probs, not those of what it samples"
                : "its link does not end at the kernel that samples the tokens";
        problem_.passedOver.push_back(fmt::format("`{}` is not used: {}", clause.id.text, why));
        return;
      }
      Side side = reading.negated ? Side::Upper : limit.side;
      if (metric.level == metrics::Level::Row && isGreedy(link) && !isOfLogits(reading.quantity)) {
        problem_.passedOver.push_back(
            fmt::format("`{}` is not used: it compares whole softmaxes, of which a kernel that "
                        "samples greedily keeps one token",
                        clause.id.text));
        return;
      }
      auto quantity = atSampler(reading.quantity);
      if (!quantity) {
        problem_.passedOver.push_back(
            fmt::format("`{}` is not used: it compares whole softmaxes, and without full support "
                        "that is not what the inference kernel samples from",
                        clause.id.text));
        return;
      }
      auto key = keyOf(bound.measure, *quantity, limit.side);
      if (!key || (side != info(reading.quantity).side))
        continue;
      Rational value = amount(limit.quantity, problem_.bits,
                              limit.side == Side::Upper ? Rounding::Up : Rounding::Down);
      if (reading.negated)
        value = -value;
      for (std::uint32_t slice : slicesOf(bound.scope))
        add(*key, value, {Origin::Kind::Clause, clause.id.text, {}, bound.span}, {slice, link},
            limit.strict);
    }
    if (bound.measure.aggregate == Aggregate::Mean && limit.side == Side::Upper)
      poseOutsideShare(clause, bound, limit, link);
    if (bound.measure.aggregate == Aggregate::Rate && limit.side == Side::Upper)
      poseRate(clause, bound, limit, link);
  }

  /// What is told of logits holds however a kernel samples.
  static bool isOfLogits(Quantity quantity) {
    switch (quantity) {
    case Quantity::LogitLinf:
    case Quantity::LogitOsc:
    case Quantity::LogitL2:
    case Quantity::LogitRel:
    case Quantity::Top1Flip:
    case Quantity::Top1Margin:
      return true;
    default:
      return false;
    }
  }

  /// Rows compare whole softmaxes; where the server cuts its own, that is not what it samples from.
  std::optional<Quantity> atSampler(Quantity quantity) const {
    if (hasFullSupport_)
      return quantity;
    switch (quantity) {
    case Quantity::Tv:
      return Quantity::PlainTv;
    case Quantity::Hellinger:
    case Quantity::KlTrainInfer:
    case Quantity::KlInferTrain:
    case Quantity::Js:
    case Quantity::Chi2:
    case Quantity::EntropyGap:
      return std::nullopt;
    default:
      return quantity;
    }
  }

  /// mean(veto(m)) and mean(clipped(m, M)) are shares of sampled tokens with p/q below m.
  void poseOutsideShare(const model::Clause& clause, const model::Bound& bound, const Limit& limit,
                        std::uint32_t link) {
    bool counts =
        bound.measure.metric == MetricId::Veto || bound.measure.metric == MetricId::Clipped;
    if (counts && !bound.measure.parameters.empty() && logsWhatItSamples(link))
      poseShare(clause, bound, limit, link, bound.measure.parameters.front());
  }

  /// rate(ratio < m) is the same share.
  void poseRate(const model::Clause& clause, const model::Bound& bound, const Limit& limit,
                std::uint32_t link) {
    const auto& threshold = bound.measure.threshold;
    bool below = threshold && (threshold->comparator == Comparator::Less ||
                               threshold->comparator == Comparator::LessEqual);
    if (bound.measure.metric == MetricId::Ratio && below && logsWhatItSamples(link))
      poseShare(clause, bound, limit, link, threshold->bound.scaled());
  }

  void poseShare(const model::Clause& clause, const model::Bound& bound, const Limit& limit,
                 std::uint32_t link, const Rational& ratio) {
    Rational share = limit.quantity.scaled();
    if (share < 0 || share >= 1)
      return;
    for (std::uint32_t slice : slicesOf(bound.scope))
      add({Quantity::SampledRatio, Quantifier::Quantile, share}, ratio,
          {Origin::Kind::Clause, clause.id.text, {}, bound.span}, {slice, link});
  }

  // Claims.

  void poseClaim(std::size_t index) {
    const model::Claim& claim = contract_.claims[index];
    std::uint32_t link = claim.link ? linkOf(*claim.link) : 0;
    for (std::size_t i = 0; i < claim.bounds.size(); ++i) {
      const model::Bound& bound = claim.bounds[i];
      for (const Limit& limit : limitsOf(bound))
        for (std::uint32_t slice : slicesOf(bound.scope)) {
          Goal goal;
          goal.claim = index;
          goal.bound = i;
          goal.place = {slice, link};
          goal.lower = limit.side == Side::Lower;
          goal.strict = limit.strict;
          goal.budget =
              amount(limit.quantity, problem_.bits, goal.lower ? Rounding::Up : Rounding::Down);
          // What no value can fall short of needs no proof.
          if (isFloor(bound.measure.claim, goal))
            continue;
          goal.key = claimKeyOf(bound.measure, limit.side);
          problem_.goals.push_back(std::move(goal));
        }
    }
  }

  static bool isFloor(ClaimId claim, const Goal& goal) {
    auto low = parseDecimal(metrics::info(claim).range.low);
    return goal.lower && low && goal.budget <= *low && !goal.strict;
  }

  static constexpr Place everywhere{0xffffffff, 0xffffffff};

  const Contract& contract_;
  Problem problem_;
  bool hasFullSupport_ = false;
};

} // namespace

Problem pose(const Contract& contract, unsigned bits) { return Poser(contract, bits).take(); }

} // namespace tikc::bounds
