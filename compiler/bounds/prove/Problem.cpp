#include "bounds/prove/Problem.h"

#include "bounds/numbers/Formulas.h"
#include "bounds/prove/Checks.h"
#include "bounds/prove/Readings.h"
#include "metrics/Metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

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
  Poser(const Contract& contract, unsigned bits) : contract_(contract), laws_(contract) {
    problem_.bits = bits;
  }

  Problem take() {
    layOut();
    if (problem_.links.empty())
      return std::move(problem_);
    for (std::uint32_t link = 0; link < problem_.links.size(); ++link)
      poseSampling(link);
    posePolicy();
    poseAssumptions();
    poseGradient();
    for (std::size_t i = 0; i < contract_.clauses.size(); ++i)
      poseClause(i);
    saysWhyNot();
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
    }
    bool nothingRemains = known && !contract_.slices.empty() && whole >= 1;
    if (!contract_.slices.empty() && !nothingRemains)
      problem_.slices.push_back({"other", false, {}, {}});
    problem_.slices.push_back({"*", true, {}, {}});
    for (std::uint32_t i = 0; i < contract_.slices.size(); ++i) {
      const model::Slice& slice = contract_.slices[i];
      Place place{i, Place::any, Place::any};
      if (slice.weight)
        problem_.slices[i].share = giveAt(place, Quantity::Share, slice.weight->scaled(),
                                          origin(Origin::Kind::Fact, "weight", slice.weight->span));
      if (slice.tokenWeight)
        problem_.slices[i].tokenShare =
            giveAt(place, Quantity::Share, slice.tokenWeight->scaled(),
                   origin(Origin::Kind::Fact, "token_weight", slice.tokenWeight->span));
    }
    problem_.slicesCutResponses = laws_.slicesCutResponses();
    layOutLinks();
  }

  /// The whole chain is the first link; others are those that clauses and claims name.
  void layOutLinks() {
    if (contract_.chain.size() < 2)
      return;
    problem_.server = static_cast<std::uint32_t>(laws_.server());
    const model::KernelLaws& last = laws_.kernels().back();
    problem_.supportCanBeFull = !last.declaresCut() && !last.isGreedy() && !laws_.cutVaries();
    add(0, problem_.server);
    for (const model::Clause& clause : contract_.clauses)
      if (clause.link)
        linkOf(*clause.link);
    for (const model::Claim& claim : contract_.claims)
      if (claim.link)
        linkOf(*claim.link);
  }

  void add(std::uint32_t first, std::uint32_t second) {
    std::pair ends(first, second);
    if (!linkAt_.try_emplace(ends, static_cast<std::uint32_t>(problem_.links.size())).second)
      return;
    About rows{rowsOf(first), rowsOf(second), false, problem_.server};
    problem_.links.push_back(
        {contract_.chain[first].text, contract_.chain[second].text, first, second, rows});
  }

  /// What rows tell of a kernel.
  model::Law rowsOf(std::uint32_t kernel) const {
    bool isServer = kernel == problem_.server;
    if (laws_.ofRows(kernel) == model::Law::Nominal && !asks(Check::RequestTemperature))
      return model::Law::Served;
    return asks(isServer ? Check::WholeLawOfServer : Check::WholeLawOfTrainer)
               ? laws_.ofRows(kernel)
               : model::Law::Served;
  }

  /// A link of kernels that are not in the chain is at fault elsewhere; here it is the ends'.
  std::uint32_t linkOf(const model::Link& written) {
    auto first = laws_.placeOf(written.from.text), second = laws_.placeOf(written.to.text);
    if (!first || !second || !asks(Check::LinkOfClause))
      return 0;
    std::pair ends(static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*second));
    add(ends.first, ends.second);
    return linkAt_.at(ends);
  }
  std::uint32_t linkOf(const model::Statement& statement) {
    return statement.link ? linkOf(*statement.link) : 0;
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

  /// A number of the contract, where its row says that it holds.
  FactId give(Quantity quantity, Rational value, Origin from) {
    switch (info(quantity).kind) {
    case QuantityInfo::Kind::OfEnds:
      return giveAt(ends(), quantity, std::move(value), std::move(from));
    case QuantityInfo::Kind::OfFirstLink:
      return giveAt(firstLink(), quantity, std::move(value), std::move(from));
    default:
      return giveAt(everywhere, quantity, std::move(value), std::move(from));
    }
  }
  FactId giveAt(Place place, Quantity quantity, Rational value, Origin from) {
    return add({quantity, Quantifier::Given, 0}, std::move(value), std::move(from), place);
  }

  /// What is assumed of the kernels is said of the ends of the chain, and of the laws that claims
  /// are about.
  Place ends() {
    return asks(Check::EndsOfChain) ? Place{Place::any, 0, problem_.indexOf(problem_.served())}
                                    : everywhere;
  }

  /// The layers are those between the first two kernels.
  Place firstLink() {
    if (contract_.chain.size() > 2)
      add(0, 1);
    std::uint32_t link = linkAt_.at({0, 1});
    return {Place::any, link, problem_.indexOf(problem_.links[link].rows)};
  }

  void giveNumber(Quantity quantity, const std::optional<model::Number>& number,
                  std::string_view key, Origin::Kind kind = Origin::Kind::Assumption) {
    if (number)
      give(quantity, number->value, origin(kind, key, number->span));
  }

  Origin temperatureOrigin(std::uint32_t kernel) const {
    const model::Number* number = laws_.kernels()[kernel].temperatureFrom;
    return number ? origin(Origin::Kind::Fact, "temperature", number->span)
                  : Origin{Origin::Kind::Default, "temperature", "temperature: 1", {}};
  }

  /// Where requests bring their own temperature, drifts of logits say nothing of the laws.
  void poseSampling(std::uint32_t link) {
    const Problem::Link& ends = problem_.links[link];
    const Rational &train = laws_.kernels()[ends.first].temperature,
                   &infer = laws_.kernels()[ends.second].temperature;
    Place place{Place::any, link, Place::any};
    if (ends.second == problem_.server && laws_.temperatureVaries() &&
        asks(Check::RequestTemperature))
      return;
    if (train == 0 && infer == 0) {
      giveAt(place, Quantity::Greedy, 0, temperatureOrigin(ends.second));
      return;
    }
    if (train == 0 || infer == 0) {
      passOver("one kernel samples greedily and the other does not");
      return;
    }
    if (train == infer || !asks(Check::OneTemperature))
      giveAt(place, Quantity::Temperature, infer, temperatureOrigin(ends.second));
    else {
      giveAt(place, Quantity::TrainTemperature, train, temperatureOrigin(ends.first));
      giveAt(place, Quantity::InferTemperature, infer, temperatureOrigin(ends.second));
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
    const Problem::Link& ends = problem_.links[link];
    return laws_.kernels()[ends.first].isGreedy() || laws_.kernels()[ends.second].isGreedy();
  }

  void passOver(std::string why) {
    auto& all = problem_.passedOver;
    if (std::find(all.begin(), all.end(), why) == all.end())
      all.push_back(std::move(why));
  }

  void saysWhyNot() {
    if (laws_.temperatureVaries())
      passOver("slices speak of a request's own `temperature`, so what rows compare at the "
               "declared one is not what is served");
    if (laws_.cutVaries())
      passOver("slices speak of a request's own `top_p`, so the support is not known to be full");
    if (laws_.slicesCutResponses())
      passOver("slices on `position` or `response_tokens` cut responses: nothing is said of whole "
               "responses on them");
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
    poseLengths();
    poseLayers(given);
  }

  /// A mean length is that of the server's responses, all of them or those of a slice.
  void poseLengths() {
    auto length = [&](const model::Quantity& tokens, std::uint32_t slice) {
      Place place = ends();
      place.slice = slice;
      add({Quantity::MeanLength, Quantifier::Mean, 0}, tokens.scaled(),
          origin(Origin::Kind::Assumption, "mean_length", tokens.span), place);
    };
    if (contract_.assumptions.meanLength)
      length(*contract_.assumptions.meanLength,
             asks(Check::LengthOfSlice) ? problem_.mixture() : Place::any);
    for (std::uint32_t i = 0; i < contract_.slices.size(); ++i)
      if (contract_.slices[i].meanLength && !problem_.cutsResponses(i))
        length(*contract_.slices[i].meanLength, i);
  }

  /// Their errors grow layer by layer, those of a run of equal layers as a geometric sum.
  void poseLayers(const model::Assumptions& given) {
    if (given.layers.empty())
      return;
    Fact drift;
    drift.key = {Quantity::HiddenDrift, Quantifier::Given, 0};
    drift.place = firstLink();
    drift.lemma = &lemmas::netLip;
    Real total(Rational(0), problem_.bits);
    Origin from = origin(Origin::Kind::Assumption, "layers",
                         join(given.layers.front().span, given.layers.back().span));
    for (const model::Layer& layer : given.layers) {
      Rational stretch = layer.gain ? layer.gain->value : Rational(1);
      drift.premises.push_back(give(Quantity::LayerError, layer.error.value, from));
      drift.premises.push_back(give(Quantity::LayerGain, stretch, from));
      Real repeat(layer.repeat ? layer.repeat->value : Rational(1), problem_.bits);
      total = grownOver(repeat, Real(stretch, problem_.bits),
                        Real(layer.error.value, problem_.bits), total);
      if (!total.isUsable())
        return passOver("`layers` are not used: their errors grow beyond any number");
    }
    if (total.magnitude() > largestExponent)
      return passOver("`layers` are not used: their errors grow beyond any number");
    drift.bound = total.ceiling(problem_.bits / 2).upper();
    drift.otherEnd = total.floor(problem_.bits / 2).lower();
    problem_.inputs.push_back(problem_.facts.add(std::move(drift)));
  }

  void poseSupport(const model::Support& support) {
    bool isFull = support.kind == model::SupportKind::Full;
    if (!laws_.contradictions().empty() && asks(Check::Contradiction))
      return passOver("`support` is not used: the inference kernel's own settings contradict it");
    if (isFull && laws_.cutVaries() && asks(Check::RequestCuts))
      return;
    auto from = [&](std::string_view key) {
      return origin(Origin::Kind::Assumption, key, support.span);
    };
    switch (support.kind) {
    case model::SupportKind::Full:
      give(Quantity::FullSupport, 0, from("support"));
      add({Quantity::MissingMass, Quantifier::Sup, 0}, 0, from("support"), ends());
      return;
    case model::SupportKind::MissingMass:
      add({Quantity::MissingMass, Quantifier::Sup, 0}, support.value, from("missing_mass"), ends());
      return;
    case model::SupportKind::TopP:
      if (laws_.cutVaries() && asks(Check::RequestCuts))
        return passOver("`top_p` is not used: slices speak of a request's own");
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
    if (weighted && !logsWhatIsServed(0) && asks(Check::LoggedWeights))
      return passOver("the correction's weights are made of what is logged, and a kernel logs "
                      "`raw` log-probs that are not those of what it serves");
    problem_.isOneToken = given.estimator->value == model::Estimator::Step;
    give(cellOf(given.estimator->value, weighted, given.group.has_value()), 0, from);
    if (problem_.isOneToken && given.group)
      passOver("`group` ties a token's advantage to whole responses, so `estimator: step` does not "
               "describe it: `token`, `token_mc` and `sequence` do");
    bool reachesAll = weighted && !given.group &&
                      (given.estimator->value == model::Estimator::Step ||
                       given.estimator->value == model::Estimator::Sequence);
    if (reachesAll)
      add({Quantity::PgPrefix, Quantifier::Mean, 0}, 0, from, ends());
    auto argument = [&](std::size_t i) { return correction.expr.arguments[i].quantity.scaled(); };
    switch (correction.id) {
    case model::CallId::ImportanceSampling:
      add({Quantity::PgCut, Quantifier::Mean, 0}, 0, weights, ends());
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

  bool logsWhatIsServed(std::uint32_t link) const {
    const Problem::Link& ends = problem_.links[link];
    return laws_.logged(ends.first) == model::Law::Served &&
           laws_.logged(ends.second) == model::Law::Served;
  }

  /// A clause is about what it measures, in whichever section it stands.
  void poseClause(std::size_t index) {
    const model::Clause& clause = contract_.clauses[index];
    if (clause.directive)
      return;
    std::uint32_t link = linkOf(clause);
    for (std::size_t i = 0; i < clause.bounds.size(); ++i) {
      Origin from = origin(Origin::Kind::Clause, clause.id.text, clause.bounds[i].span);
      from.stated = {index, i};
      for (const Limit& limit : limitsOf(clause.bounds[i]))
        poseLimit(clause, clause.bounds[i], limit, link, from);
    }
  }

  /// Whose laws a clause compares: rows the whole ones, log-probs what each kernel logs.
  std::optional<About> aboutOf(const model::Clause& clause, MetricId metric, std::uint32_t link) {
    const Problem::Link& ends = problem_.links[link];
    std::uint32_t drawer = asks(Check::Drawer) ? laws_.drawerOf(clause) : problem_.server;
    About out = ends.rows;
    out.drawer = drawer;
    switch (metrics::info(metric).input) {
    case metrics::Input::Logprobs:
      out.first = asks(Check::LoggedByTrainer) ? laws_.logged(ends.first) : model::Law::Served;
      out.second = asks(Check::LoggedByServer) ? laws_.logged(ends.second) : model::Law::Served;
      if (out.second != model::Law::Served)
        passOver(fmt::format("`{}` is not used: the inference kernel logs raw log-probs, not those "
                             "of what it samples",
                             clause.id.text));
      else if (out.first != model::Law::Served)
        passOver(fmt::format("`{}` is not used: the training kernel logs raw log-probs, not those "
                             "of the policy that claims compare",
                             clause.id.text));
      else if (drawer != ends.second)
        passOver(fmt::format("`{}` is not used: its tokens are not drawn by the second kernel of "
                             "its link",
                             clause.id.text));
      return out;
    case metrics::Input::Logits:
      if (metric == MetricId::MissingMass && out.second != model::Law::Served)
        passOver(
            fmt::format("`{}` is not used: rows are measured before the inference kernel cuts, "
                        "so what it cuts is not in it",
                        clause.id.text));
      if (isOfMaskedLogits(metric) && link == 0 && laws_.declaresMissingMass() &&
          asks(Check::LeftOutOfDrift))
        out.kept = true;
      return out;
    default:
      return std::nullopt;
    }
  }

  /// What leaves out the tokens that only the server masks, where their mass is declared missing.
  static bool isOfMaskedLogits(MetricId metric) {
    return metric == MetricId::LogitLinf || metric == MetricId::LogitOsc ||
           metric == MetricId::LogitL2 || metric == MetricId::LogitRel;
  }

  void poseLimit(const model::Clause& clause, const model::Bound& bound, const Limit& limit,
                 std::uint32_t link, const Origin& from) {
    auto about = aboutOf(clause, bound.measure.metric, link);
    if (!about)
      return;
    const auto& metric = metrics::info(bound.measure.metric);
    bool isResponse = metric.level == metrics::Level::Sequence;
    std::uint32_t index = problem_.indexOf(*about);
    poseCounter(bound, limit, from, {0, link, index}, isResponse);
    for (const Promise& promise : promisesOf(bound.measure, limit, problem_.bits)) {
      if (metric.level == metrics::Level::Row && isGreedy(link) && asks(Check::Greedy) &&
          !isOfLogits(promise.key.quantity))
        return passOver(fmt::format("`{}` is not used: it compares whole softmaxes, of which a "
                                    "kernel that samples greedily keeps one token",
                                    clause.id.text));
      for (std::uint32_t slice : slicesOf(bound.scope))
        if (!isResponse || !problem_.cutsResponses(slice) || !asks(Check::ResponsesInSlice)) {
          FactId id = add(promise.key, promise.value, from, {slice, link, index}, promise.strict);
          problem_.facts.change(id, [&](Fact& fact) { fact.exactly = promise.exactly; });
        }
    }
  }

  /// A limit on the side that no fact has.
  void poseCounter(const model::Bound& bound, const Limit& limit, const Origin& from, Place place,
                   bool isResponse) {
    Side other = limit.side == Side::Upper ? Side::Lower : Side::Upper;
    auto asked = askedOf(bound.measure, limit.side);
    for (const Reading& reading : readingsOf(bound.measure, other)) {
      if (!asked || reading.negated || info(reading.quantity).side == limit.side)
        continue;
      Counter counter;
      counter.stated = *from.stated;
      counter.quantity = reading.quantity;
      counter.place = place;
      std::tie(counter.asked, counter.share) = *asked;
      counter.limit = amount(limit.quantity, problem_.bits,
                             limit.side == Side::Upper ? Rounding::Up : Rounding::Down);
      counter.strict = limit.strict;
      for (std::uint32_t slice : slicesOf(bound.scope))
        if (!isResponse || !problem_.cutsResponses(slice)) {
          counter.place.slice = slice;
          problem_.counters.push_back(counter);
        }
    }
  }

  /// How much of the population has to reach a lower limit, or to stay below an upper one.
  static std::optional<std::pair<Counter::Asked, Rational>> askedOf(const model::Measure& measure,
                                                                    Side side) {
    using Asked = Counter::Asked;
    switch (measure.aggregate) {
    case Aggregate::Mean:
      return std::pair(Asked::Mean, Rational(0));
    case Aggregate::Max:
      return std::pair(side == Side::Lower ? Asked::SomeValue : Asked::EveryValue, Rational(0));
    case Aggregate::Min:
      return std::pair(side == Side::Lower ? Asked::EveryValue : Asked::SomeValue, Rational(0));
    case Aggregate::Quantile:
      return std::pair(Asked::Share,
                       side == Side::Lower ? Rational(1 - measure.level) : measure.level);
    default:
      return std::nullopt;
    }
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

  // Claims.

  void poseClaim(std::size_t index) {
    const model::Claim& claim = contract_.claims[index];
    std::uint32_t link = linkOf(claim);
    for (std::size_t i = 0; i < claim.bounds.size(); ++i) {
      const model::Bound& bound = claim.bounds[i];
      for (const Limit& limit : limitsOf(bound))
        for (std::uint32_t slice : slicesOf(bound.scope)) {
          Goal goal;
          goal.claim = index;
          goal.bound = i;
          goal.place = {slice, link, 0};
          goal.lower = limit.side == Side::Lower;
          goal.strict = limit.strict;
          goal.budget =
              amount(limit.quantity, problem_.bits, goal.lower ? Rounding::Up : Rounding::Down);
          goal.exactly = exactlyOf(limit.quantity, goal.budget);
          // What no value can fall short of needs no proof.
          if (isFloor(bound.measure.claim, goal))
            continue;
          goal.key = claimKeyOf(bound.measure, limit.side);
          goal.place.about = problem_.indexOf(claimed(goal));
          if (goal.key && info(goal.key->quantity).level == QuantityInfo::Level::Response &&
              problem_.cutsResponses(slice) && asks(Check::ResponsesInSlice))
            goal.key.reset();
          problem_.goals.push_back(std::move(goal));
        }
    }
  }

  /// Contexts are the server's; responses are those of the kernel that the link ends at.
  About claimed(const Goal& goal) const {
    About out = problem_.served();
    if (goal.key && info(goal.key->quantity).level == QuantityInfo::Level::Response)
      out.drawer = problem_.links[goal.place.link].second;
    return out;
  }

  static bool isFloor(ClaimId claim, const Goal& goal) {
    auto low = parseDecimal(metrics::info(claim).range.low);
    return goal.lower && low && goal.budget <= *low && !goal.strict;
  }

  static constexpr Place everywhere{Place::any, Place::any, Place::any};

  const Contract& contract_;
  model::Laws laws_;
  Problem problem_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> linkAt_;
};

} // namespace

std::optional<std::uint32_t> Problem::find(const About& about) const {
  auto found = std::find(abouts.begin(), abouts.end(), about);
  return found == abouts.end() ? std::nullopt
                               : std::optional(static_cast<std::uint32_t>(found - abouts.begin()));
}

std::uint32_t Problem::indexOf(const About& about) {
  if (auto known = find(about))
    return *known;
  abouts.push_back(about);
  return static_cast<std::uint32_t>(abouts.size() - 1);
}

Problem pose(const Contract& contract, unsigned bits) { return Poser(contract, bits).take(); }

} // namespace tikc::bounds
