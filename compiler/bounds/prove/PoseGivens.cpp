#include "bounds/prove/Poser.h"

#include "bounds/facts/Age.h"
#include "bounds/numbers/Formulas.h"
#include "bounds/prove/Questions.h"
#include "model/Metrics.h"
#include "support/Check.h"

#include <algorithm>

namespace tikc::bounds {

namespace {

Quantity cellOf(model::GradientEstimator estimator, bool weighted, bool grouped) {
  using enum model::GradientEstimator;
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
  TIKC_CHECK(false, "each estimator has its case");
}

/// A mean divides by the response's length, so that every term is about the whole response,
/// whatever its advantage looks at.
Quantity cellOfMean(model::GradientEstimator estimator, bool weighted, bool grouped) {
  if (!weighted)
    return grouped ? Quantity::GroupMeanPlain : Quantity::MeanPlain;
  if (estimator == model::GradientEstimator::Sequence)
    return grouped ? Quantity::GroupMeanWhole : Quantity::MeanWhole;
  return grouped ? Quantity::GroupMeanWeighted : Quantity::MeanWeighted;
}

} // namespace

Origin Poser::temperatureOrigin(std::uint32_t kernel) const {
  const model::Number* number = laws_.kernels()[kernel].temperatureFrom;
  return number ? origin(Origin::Kind::Fact, "temperature", number->span)
                : Origin{Origin::Kind::Default, "temperature", "temperature: 1", {}};
}

void Poser::poseSampling(std::uint32_t link) {
  const Problem::Link& ends = problem_.links[link];
  const Rational &train = laws_.kernels()[ends.first].temperature,
                 &infer = laws_.kernels()[ends.second].temperature;
  Place place{Place::any, link, Place::any};
  if (ends.second == problem_.server && laws_.temperatureVaries() &&
      asks(Question::RequestTemperature))
    return;
  if (train == 0 && infer == 0) {
    giveAt(place, Quantity::Greedy, 0, temperatureOrigin(ends.second));
    return;
  }
  if (train == 0 || infer == 0) {
    passOver("one kernel samples greedily and the other does not");
    return;
  }
  if (train == infer || !asks(Question::OneTemperature))
    giveAt(place, Quantity::Temperature, infer, temperatureOrigin(ends.second));
  else {
    giveAt(place, Quantity::TrainTemperature, train, temperatureOrigin(ends.first));
    giveAt(place, Quantity::InferTemperature, infer, temperatureOrigin(ends.second));
  }
}

void Poser::posePolicy() {
  const model::Policy& policy = contract_.policy;
  giveNumber(Quantity::Vocabulary, policy.vocabulary, "vocabulary", Origin::Kind::Fact);
  giveNumber(Quantity::LogitBound, policy.logitBound, "logit_bound", Origin::Kind::Fact);
  if (policy.horizon)
    give(Quantity::Horizon, policy.horizon->scaled(),
         origin(Origin::Kind::Fact, "horizon", policy.horizon->span));
}

void Poser::poseAssumptions() {
  const model::Assumptions& assumptions = contract_.assumptions;
  if (assumptions.support)
    poseSupport(*assumptions.support);
  auto range = [&](Quantity quantity, const std::optional<model::Range>& interval,
                   std::string_view key) {
    if (interval)
      give(quantity, interval->high - interval->low,
           origin(Origin::Kind::Assumption, key, interval->span));
  };
  range(Quantity::RewardRange, assumptions.reward, "reward");
  range(Quantity::StepRewardRange, assumptions.stepReward, "step_reward");
  if (assumptions.stepReward) {
    // A response that has ended earns nothing more.
    Rational low = assumptions.stepReward->low, high = assumptions.stepReward->high, zero = 0;
    give(Quantity::StepRewardReach, std::max(high, zero) - std::min(low, zero),
         origin(Origin::Kind::Assumption, "step_reward", assumptions.stepReward->span));
  }
  giveNumber(Quantity::RewardSigma, assumptions.rewardSigma, "reward_sigma");
  giveNumber(Quantity::RewardLipschitz, assumptions.rewardLipschitz, "reward_lipschitz");
  giveNumber(Quantity::Advantage, assumptions.advantage, "advantage");
  giveNumber(Quantity::GroupSize, assumptions.group, "group");
  giveNumber(Quantity::ScoreNorm, assumptions.scoreNorm, "score_norm");
  giveNumber(Quantity::Discount, assumptions.discount, "discount");
  giveNumber(Quantity::RatioCap, assumptions.ratioCap, "ratio_cap");
  giveNumber(Quantity::HeadNorm, assumptions.headNorm, "head_norm");
  if (isAged(contract_)) {
    const model::Staleness& age = *assumptions.staleness;
    Origin from = origin(Origin::Kind::Assumption, "staleness", age.span);
    give(Quantity::StaleSteps, age.steps.value, from);
    give(Quantity::StepDrift, age.logitOsc.value, from);
  }
  poseLengths();
  poseLayers(assumptions);
}

void Poser::poseLengths() {
  auto lengths = [&](const auto& part, std::uint32_t slice) {
    Place place = ends();
    place.slice = slice;
    auto length = [&](Quantity quantity, const auto& tokens, std::string_view key) {
      if (tokens)
        add({quantity, Quantifier::Mean, 0}, tokens->scaled(),
            origin(Origin::Kind::Assumption, key, tokens->span), place);
    };
    length(Quantity::MeanLength, part.meanLength, "mean_length");
    length(Quantity::LeastLength, part.leastMeanLength, "least_mean_length");
  };
  lengths(contract_.assumptions, asks(Question::LengthOfSlice) ? problem_.mixture() : Place::any);
  for (std::uint32_t i = 0; i < contract_.slices.size(); ++i)
    if (!problem_.cutsResponses(i))
      lengths(contract_.slices[i], i);
}

void Poser::poseLayers(const model::Assumptions& assumptions) {
  if (assumptions.layers.empty())
    return;
  Fact drift;
  drift.key = {Quantity::HiddenDrift, Quantifier::Given, 0};
  drift.place = firstLink();
  drift.lemma = &lemmas::netLip;
  Real total(Rational(0), problem_.bits);
  Origin from = origin(Origin::Kind::Assumption, "layers",
                       join(assumptions.layers.front().span, assumptions.layers.back().span));
  for (const model::Layer& layer : assumptions.layers) {
    Rational stretch = layer.gain ? layer.gain->value : Rational(1);
    drift.premises.push_back(give(Quantity::LayerError, layer.error.value, from));
    drift.premises.push_back(give(Quantity::LayerGain, stretch, from));
    Real repeat(layer.repeat ? layer.repeat->value : Rational(1), problem_.bits);
    total = grownOver(repeat, Real(stretch, problem_.bits), Real(layer.error.value, problem_.bits),
                      total);
    if (!total.isUsable())
      return passOver("`layers` are not used: their errors grow without limit");
  }
  if (total.magnitude() > largestExponent)
    return passOver("`layers` are not used: their errors grow without limit");
  drift.bound = total.ceiling(problem_.bits / 2).upper();
  drift.otherEnd = total.floor(problem_.bits / 2).lower();
  problem_.inputs.push_back(problem_.facts.add(std::move(drift)));
}

void Poser::poseSupport(const model::Support& support) {
  bool isFull = support.kind == model::SupportKind::Full;
  if (!laws_.contradictions().empty() && asks(Question::Contradiction))
    return passOver("`support` is not used: the inference kernel's own settings contradict it");
  if (isFull && laws_.cutVaries() && asks(Question::RequestCuts))
    return;
  auto from = [&](std::string_view key) {
    return origin(Origin::Kind::Assumption, key, support.span);
  };
  switch (support.kind) {
  case model::SupportKind::Full:
    fullSupport_ = give(Quantity::FullSupport, 0, from("support"));
    add({Quantity::MissingMass, Quantifier::Sup, 0}, 0, from("support"), ends());
    if (problem_.measured != 0) {
      // Newer weights mask what the older ones did.
      Place older = ends();
      older.link = problem_.measured;
      giveAt(older, Quantity::FullSupport, 0, from("support"));
      add({Quantity::MissingMass, Quantifier::Sup, 0}, 0, from("support"), older);
    }
    return;
  case model::SupportKind::MissingMass:
    add({Quantity::MissingMass, Quantifier::Sup, 0}, support.value, from("missing_mass"), ends());
    return;
  case model::SupportKind::TopP:
    if (laws_.cutVaries() && asks(Question::RequestCuts))
      return passOver("`top_p` is not used: slices depend on the requests' own `top_p`");
    give(Quantity::CutMass, 1 - support.value, from("top_p"));
    return;
  }
}

void Poser::poseGradient() {
  const model::Assumptions& assumptions = contract_.assumptions;
  auto cell = [&](bool weighted) {
    model::GradientEstimator estimator = assumptions.estimator->value;
    bool isMean = estimator != model::GradientEstimator::Step && assumptions.loss &&
                  assumptions.loss->value == model::Loss::TokenMean;
    return isMean ? cellOfMean(estimator, weighted, assumptions.group.has_value())
                  : cellOf(estimator, weighted, assumptions.group.has_value());
  };
  problem_.lacksEstimator = !assumptions.estimator;
  problem_.lacksCorrection = !assumptions.correction;
  if (assumptions.estimator)
    problem_.biasUncorrected = cell(false);
  if (!assumptions.estimator || !assumptions.correction)
    return;
  const model::Call& correction = *assumptions.correction;
  Origin from = origin(Origin::Kind::Assumption, "estimator", assumptions.estimator->span);
  Origin weights = origin(Origin::Kind::Assumption, "correction", correction.expr.span);
  bool weighted = correction.id != model::CallId::NoCorrection;
  if (weighted && !logsWhatIsServed(0) && asks(Question::LoggedWeights))
    return passOver("the correction computes its weights from logged log-probs, and a kernel logs "
                    "`raw` ones that are not of its served law");
  problem_.isOneToken = assumptions.estimator->value == model::GradientEstimator::Step;
  bool isMean =
      !problem_.isOneToken && assumptions.loss && assumptions.loss->value == model::Loss::TokenMean;
  give(cell(weighted), 0,
       isMean ? origin(Origin::Kind::Assumption, "loss", assumptions.loss->span) : from);
  if (problem_.isOneToken && assumptions.group)
    passOver("`group` ties a token's advantage to whole responses, so `estimator: step` does not "
             "describe it: `token`, `token_mc` and `sequence` do");
  bool reachesAll = weighted && !assumptions.group &&
                    (assumptions.estimator->value == model::GradientEstimator::Step ||
                     assumptions.estimator->value == model::GradientEstimator::Sequence);
  if (reachesAll)
    add({Quantity::PgPrefix, Quantifier::Mean, 0}, 0, from, ends());
  auto argument = [&](std::size_t i) { return correction.expr.arguments[i].quantity.scaled(); };
  const Rational zero = 0, one = 1;
  Rational weightMean = one;
  std::optional<Rational> weightCap;
  switch (correction.id) {
  case model::CallId::NoCorrection:
    weightCap = one;
    break;
  case model::CallId::ImportanceSampling:
    add({Quantity::PgCut, Quantifier::Mean, 0}, 0, weights, ends());
    add({Quantity::PgTokenCut, Quantifier::Mean, 0}, 0, weights, ends());
    break;
  case model::CallId::TruncatedIs:
    give(Quantity::Cap, argument(0), weights);
    weightCap = argument(0);
    break;
  case model::CallId::MaskedIs:
    weightCap = argument(1);
    give(Quantity::MaskLow, argument(0), weights);
    give(Quantity::MaskHigh, argument(1), weights);
    break;
  case model::CallId::Ppo:
    give(Quantity::MaskLow, 1 - argument(0), weights);
    give(Quantity::MaskHigh, 1 + argument(1), weights);
    break;
  case model::CallId::Clip:
    // Ratios below 1 − c are raised to it.
    give(Quantity::ClipWidth, argument(0), weights);
    weightMean = 1 + std::min(argument(0), std::max(Rational(1 - argument(0)), zero));
    weightCap = 1 + argument(0);
    break;
  default:
    break;
  }
  give(Quantity::WeightMean, weightMean, weights);
  if (weightCap)
    give(Quantity::WeightCap, *weightCap, weights);
}

} // namespace tikc::bounds
