#include "bounds/Missing.h"

#include "bounds/Deduction.h"

#include <algorithm>

namespace tikc::bounds {
namespace {

using Need = Premise::Need;

Key number(Quantity quantity) { return {quantity, Quantifier::Given, 0}; }
Key everywhere(Quantity quantity) { return {quantity, Quantifier::Sup, 0}; }

/// From what is most of a change to say to what is least: a least set is found by leaving out in
/// this order.
const std::vector<Wish>& wishes() {
  static const std::vector<Wish> rows = {
      {everywhere(Quantity::Top1Margin),
       "a clause on the margin, such as `min(top1_margin) >= 0.5`", "numerical",
       "margin: min(top1_margin) >= 0.5"},
      {everywhere(Quantity::LogprobLinf),
       "a clause that caps every log-prob's change, such as `max(logprob_linf) <= 0.1`",
       "numerical", "largest_change: max(logprob_linf) <= 0.1"},
      {everywhere(Quantity::LogitOsc),
       "a clause that caps the drift in every context, such as `max(logit_osc) <= 0.5`",
       "numerical", "largest_drift: max(logit_osc) <= 0.5"},
      {everywhere(Quantity::MissingMass),
       "a clause or assumption on the missing mass, such as `support: full`", "assumptions",
       "support: full"},
      {number(Quantity::CutMass), "`support: { top_p: … }` under `assumptions`", "assumptions",
       "support: { top_p: 0.999 }"},
      {number(Quantity::HeadNorm), "`head_norm` under `assumptions`", "assumptions",
       "head_norm: 1"},
      {number(Quantity::GroupSize), "`group` under `assumptions`", "assumptions", "group: 8"},
      {number(Quantity::RewardSigma), "`reward_sigma` under `assumptions`", "assumptions",
       "reward_sigma: 1"},
      {number(Quantity::RewardLipschitz), "`reward_lipschitz` under `assumptions`", "assumptions",
       "reward_lipschitz: 1"},
      {number(Quantity::StepPlain), "`estimator` and `correction` under `assumptions`",
       "assumptions", "estimator: step\ncorrection: none"},
      {number(Quantity::Cap), "a `correction` with a cap", "assumptions", "correction: tis(2)"},
      {number(Quantity::LogitBound), "`logit_bound` under `model`", "model", "logit_bound: 50"},
      {number(Quantity::FullSupport), "`support: full` under `assumptions`", "assumptions",
       "support: full"},
      {number(Quantity::Discount), "`discount` under `assumptions`", "assumptions", "discount: 1"},
      {number(Quantity::StepRewardRange), "the range `step_reward` under `assumptions`",
       "assumptions", "step_reward: [0, 1]"},
      {number(Quantity::StepRewardReach), "the range `step_reward` under `assumptions`",
       "assumptions", "step_reward: [0, 1]"},
      {number(Quantity::RewardRange), "the range `reward` under `assumptions`", "assumptions",
       "reward: [0, 1]"},
      {number(Quantity::Advantage), "the bound `advantage` under `assumptions`", "assumptions",
       "advantage: 4"},
      {number(Quantity::ScoreNorm), "the bound `score_norm` under `assumptions`", "assumptions",
       "score_norm: 8"},
      {number(Quantity::Vocabulary), "`vocabulary` under `model`", "model", "vocabulary: 150000"},
      {number(Quantity::Horizon), "`horizon` under `model`", "model", "horizon: 4096 tokens"},
  };
  return rows;
}

/// Which kinds of fact some derivation reaches, numbers aside.
struct Reach {
  std::array<bool, quantityCount> given{}, sup{}, mean{}, quantile{};

  void add(const Key& key) {
    auto& column = key.quantifier == Quantifier::Given  ? given
                   : key.quantifier == Quantifier::Sup  ? sup
                   : key.quantifier == Quantifier::Mean ? mean
                                                        : quantile;
    column[at(key.quantity)] = true;
  }

  bool has(const Key& key) const {
    std::size_t i = at(key.quantity);
    switch (key.quantifier) {
    case Quantifier::Given:
      return given[i];
    case Quantifier::Sup:
      return sup[i];
    case Quantifier::Mean:
      return mean[i];
    case Quantifier::Quantile:
      return quantile[i] || sup[i] || mean[i];
    }
    return false;
  }

  bool set(std::array<bool, quantityCount>& column, Quantity quantity) {
    bool fresh = !column[at(quantity)];
    column[at(quantity)] = true;
    return fresh;
  }

  bool apply(const Lemma& lemma, const Use& use) {
    if ((lemma.needsFullSupport && !given[at(Quantity::FullSupport)]) ||
        (use.under && !given[at(*use.under)]))
      return false;
    bool all = true, allMeans = true, lifts = false, allSup = true;
    for (const Premise& premise : use.premises) {
      std::size_t i = at(premise.quantity);
      switch (premise.need) {
      case Need::Given:
        all = all && given[i];
        allMeans = allMeans && given[i];
        break;
      case Need::Sup:
        all = all && sup[i];
        allMeans = false;
        break;
      case Need::Mean:
        all = all && mean[i];
        allMeans = false;
        break;
      case Need::Each:
        lifts = true;
        all = all && (sup[i] || quantile[i]);
        allSup = allSup && sup[i];
        allMeans = allMeans && mean[i] && (lemma.shape != Shape::Convex || sup[i]);
        break;
      case Need::ShareOf:
      case Need::AtShare:
        all = all && (sup[i] || quantile[i]);
        allMeans = false;
        break;
      case Need::Nothing:
      case Need::Asked:
      case Need::Chosen:
        break;
      }
    }
    bool changed = false;
    if (all) {
      Quantifier to = !lifts ? use.quantifier : allSup ? Quantifier::Sup : Quantifier::Quantile;
      changed |= set(to == Quantifier::Given  ? given
                     : to == Quantifier::Sup  ? sup
                     : to == Quantifier::Mean ? mean
                                              : quantile,
                     use.concludes);
    }
    if (lifts && allMeans && lemma.shape != Shape::Unknown)
      changed |= set(mean, use.concludes);
    return changed;
  }

  void close() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Lemma* lemma : allLemmas())
        for (const Use& use : lemma->uses())
          changed |= apply(*lemma, use);
      for (std::size_t i = 0; i < quantityCount; ++i) {
        auto quantity = static_cast<Quantity>(i);
        if (sup[i] || (quantile[i] && !info(quantity).cap.empty()))
          changed |= set(mean, quantity);
      }
    }
  }
};

Reach reachOf(const Table& table) {
  Reach out;
  for (std::size_t i = 0; i < quantityCount; ++i) {
    out.given[i] = table.given[i].has_value();
    out.sup[i] = table.sup[i].has_value();
    out.mean[i] = table.mean[i].has_value();
    out.quantile[i] = !table.quantiles[i].empty();
  }
  return out;
}

bool reaches(Reach reach, const std::vector<Wish>& said, const Key& key) {
  for (const Wish& wish : said)
    reach.add(wish.key);
  reach.close();
  return reach.has(key);
}

} // namespace

std::vector<Wish> missingFor(const Goal& goal, const Table& table) {
  if (!goal.key)
    return {};
  Reach reach = reachOf(table);
  std::vector<Wish> said = wishes();
  bool isGroupStep =
      reach.given[at(Quantity::GroupStepPlain)] || reach.given[at(Quantity::GroupStepWeighted)];
  bool isGreedy = reach.given[at(Quantity::Greedy)];
  // What would be in vain: the estimator was stated, and what softmaxes say is nothing to greedy
  // kernels.
  std::erase_if(said, [&](const Wish& wish) {
    return (isGroupStep && wish.key.quantity == Quantity::StepPlain) ||
           (isGreedy && (wish.key.quantity == Quantity::LogprobLinf ||
                         wish.key.quantity == Quantity::FullSupport));
  });
  if (reaches(reach, {}, *goal.key) || !reaches(reach, said, *goal.key))
    return {};
  for (std::size_t i = 0; i < said.size();) {
    std::vector<Wish> fewer = said;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (reaches(reach, fewer, *goal.key))
      said = std::move(fewer);
    else
      ++i;
  }
  return said;
}

} // namespace tikc::bounds
