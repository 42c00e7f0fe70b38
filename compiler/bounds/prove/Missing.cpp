#include "bounds/prove/Missing.h"

#include "bounds/prove/Deduction.h"
#include "bounds/prove/Scopes.h"

#include <algorithm>
#include <utility>

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
      fullSupport(),
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

/// Which kinds of fact some derivation reaches at one place, numbers aside. What other laws lead to
/// counts with them.
struct ReachableKinds {
  using Kinds = std::array<std::array<bool, 4>, quantityCount>; // by quantifier
  Kinds here{};
  std::array<Kinds, 5> others{}; // by Premise::From
  const Deduction& deduction;
  const Table& table;

  ReachableKinds(const Deduction& shared, const Table& at) : deduction(shared), table(at) {
    here = kindsOf(table);
    for (std::size_t i = 0; i < others.size(); ++i)
      if (table.others[i])
        others[i] = kindsOf(*table.others[i]);
  }

  static Kinds kindsOf(const Table& table) {
    Kinds out{};
    for (std::size_t i = 0; i < quantityCount; ++i) {
      for (std::size_t j = 0; j < 3; ++j)
        out[i][j] = table.slots[i].tightest[j].has_value();
      out[i][static_cast<std::size_t>(Quantifier::Quantile)] = !table.slots[i].quantiles.empty();
    }
    return out;
  }

  bool& at(Kinds& kinds, Quantity quantity, Quantifier quantifier) {
    return kinds[bounds::at(quantity)][static_cast<std::size_t>(quantifier)];
  }
  bool has(Quantity quantity, Quantifier quantifier) const {
    return here[bounds::at(quantity)][static_cast<std::size_t>(quantifier)];
  }
  /// Under full support what rows compare is what is served; a drift leads on under any laws.
  void add(const Key& key) {
    at(here, key.quantity, key.quantifier) = true;
    const Kinds& rows = others[static_cast<std::size_t>(Premise::From::Rows)];
    for (std::size_t i = 0; key.quantity == Quantity::FullSupport && i < quantityCount; ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        here[i][j] = here[i][j] || rows[i][j];
    if (info(key.quantity).kind == QuantityInfo::Kind::Drift)
      for (Kinds& other : others)
        at(other, key.quantity, key.quantifier) = at(other, Quantity::Omega, key.quantifier) = true;
  }
  bool has(const Key& key) const {
    bool some = has(key.quantity, key.quantifier);
    return some || (key.quantifier == Quantifier::Quantile &&
                    (has(key.quantity, Quantifier::Sup) || has(key.quantity, Quantifier::Mean)));
  }
  bool set(Quantity quantity, Quantifier quantifier) {
    bool& to = at(here, quantity, quantifier);
    return !std::exchange(to, true);
  }

  bool isOpen(const DeductionStep& step) const {
    if (step.use->under && !has(*step.use->under, Quantifier::Given))
      return false;
    std::vector<FactId> under;
    return std::all_of(step.conditions.begin(), step.conditions.end(), [&](Condition condition) {
      return condition == Condition::EqualSupport ? has(Quantity::FullSupport, Quantifier::Given)
                                                  : grants(deduction, table, condition);
    });
  }

  bool apply(const DeductionStep& step) {
    if (!isOpen(step))
      return false;
    bool all = true, allMeans = true, lifts = false, allSup = true;
    for (const Premise& premise : step.use->premises) {
      if (!isFact(premise))
        continue;
      const Kinds& kinds = premise.from == Premise::From::Here
                               ? here
                               : others[static_cast<std::size_t>(premise.from)];
      auto is = [&](Quantifier quantifier) {
        return kinds[bounds::at(premise.quantity)][static_cast<std::size_t>(quantifier)];
      };
      bool each = is(Quantifier::Sup) || is(Quantifier::Quantile);
      switch (premise.need) {
      case Need::Given:
        all = all && is(Quantifier::Given);
        allMeans = allMeans && is(Quantifier::Given);
        break;
      case Need::Sup:
        all = all && is(Quantifier::Sup);
        allMeans = false;
        break;
      case Need::Mean:
        all = all && is(Quantifier::Mean);
        allMeans = false;
        break;
      case Need::Each:
        lifts = true;
        all = all && each;
        allSup = allSup && is(Quantifier::Sup);
        allMeans = allMeans && is(Quantifier::Mean) &&
                   (step.lemma->curvature != Curvature::Convex || is(Quantifier::Sup));
        break;
      default:
        all = all && each;
        allMeans = false;
        break;
      }
    }
    bool changed = false;
    if (all)
      changed |= set(step.use->concludes, !lifts   ? step.use->quantifier
                                          : allSup ? Quantifier::Sup
                                                   : Quantifier::Quantile);
    if (lifts && allMeans && step.lemma->curvature != Curvature::Unknown)
      changed |= set(step.use->concludes, Quantifier::Mean);
    return changed;
  }

  void close() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const DeductionStep& step : deduction.steps)
        changed |= apply(step);
      for (std::size_t i = 0; i < quantityCount; ++i) {
        auto quantity = static_cast<Quantity>(i);
        if (has(quantity, Quantifier::Sup) ||
            (has(quantity, Quantifier::Quantile) && hasCap(quantity)))
          changed |= set(quantity, Quantifier::Mean);
      }
    }
  }
};

bool reaches(ReachableKinds reach, const std::vector<Wish>& said, const Key& key) {
  for (const Wish& wish : said)
    reach.add(wish.key);
  reach.close();
  return reach.has(key);
}

} // namespace

const Wish& fullSupport() {
  static const Wish row = {number(Quantity::FullSupport), "`support: full` under `assumptions`",
                           "assumptions", "support: full"};
  return row;
}

std::vector<Wish> missingFor(const Goal& goal, const Deduction& deduction, const Table& table) {
  if (!goal.key)
    return {};
  ReachableKinds reach(deduction, table);
  std::vector<Wish> said = wishes();
  const Problem& problem = deduction.problem;
  bool saysEstimate = !problem.lacksEstimator && !problem.lacksCorrection;
  bool isGreedy = reach.has(Quantity::Greedy, Quantifier::Given);
  // What would be in vain: the estimator and its correction were stated, and what softmaxes say is
  // nothing to greedy kernels.
  std::erase_if(said, [&](const Wish& wish) {
    return (saysEstimate && wish.key.quantity == Quantity::StepPlain) ||
           (isGreedy && (wish.key.quantity == Quantity::LogprobLinf ||
                         wish.key.quantity == Quantity::FullSupport));
  });
  // What is said already is not wished for.
  for (Wish& wish : said)
    if (wish.key.quantity == Quantity::StepPlain && !problem.lacksEstimator) {
      wish.key = number(problem.biasUncorrected);
      wish.says = "`correction` under `assumptions`";
      wish.example = "correction: none";
    } else if (wish.key.quantity == Quantity::StepPlain && !problem.lacksCorrection) {
      wish.says = "`estimator` under `assumptions`";
      wish.example = "estimator: step";
    }
  // What a kernel is declared to cut is no full support.
  if (!deduction.problem.supportCanBeFull) {
    std::erase_if(said,
                  [](const Wish& wish) { return wish.key.quantity == Quantity::FullSupport; });
    for (Wish& wish : said)
      if (wish.key.quantity == Quantity::MissingMass) {
        wish.says = "`support: { missing_mass: … }` under `assumptions`";
        wish.example = "support: { missing_mass: 0.1% }";
      }
  }
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
