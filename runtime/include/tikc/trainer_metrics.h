#pragma once

#include "tikc/tally.h"

namespace tikc {

/// Trainers whose logs name figures that a tally keeps of sampled tokens.
enum class trainer : std::uint8_t { verl, trl, nemo_rl };

namespace detail {

/// Returns the sample standard deviation of |p − q|, over n − 1, as torch.std does.
template <class TokenPlan> double prob_gap_deviation(const token_stats<TokenPlan>& stats) {
  const double n = static_cast<double>(stats.count);
  const double total = stats.total(token_sum::prob_gap);
  const double squares = stats.total(token_sum::prob_drift_square) - total * total / n;
  return squares < 0 ? 0 : std::sqrt(squares / (n - 1));
}

template <class TokenPlan, class Visit>
void visit_verl(const token_stats<TokenPlan>& stats, Visit& visit) {
  const std::uint32_t wants = stats.plan().wants;
  if (wants_sum(wants, token_sum::gap))
    visit("rollout_corr/kl", 0 - stats.mean(token_sum::gap));
  if (wants_sum(wants, token_sum::k3))
    visit("rollout_corr/k3_kl", stats.mean(token_sum::k3));
  if (wants_sum(wants, token_sum::excess))
    visit("rollout_corr/chi2_token", stats.ratio_square_excess());
  if (wants_sum(wants, token_sum::prob_gap))
    visit("training/rollout_probs_diff_mean", stats.mean(token_sum::prob_gap));
  if (wants_sum(wants, token_sum::prob_gap) && (wants & token_want::pearson) != 0)
    visit("training/rollout_probs_diff_std", prob_gap_deviation(stats));
  if ((wants & token_want::pearson) != 0)
    visit("training/rollout_actor_probs_pearson_corr", stats.pearson());
}

template <class TokenPlan, class Visit>
void visit_trl(const token_stats<TokenPlan>& stats, Visit& visit) {
  if (wants_sum(stats.plan().wants, token_sum::gap_size))
    visit("sampling/sampling_logp_difference/mean", stats.mean(token_sum::gap_size));
  if (stats.wants(needs_extremes))
    visit("sampling/sampling_logp_difference/max", static_cast<double>(stats.greatest_size()));
}

/// NeMo-RL's default estimator of KL is k3.
template <class TokenPlan, class Visit>
void visit_nemo_rl(const token_stats<TokenPlan>& stats, Visit& visit) {
  if (wants_sum(stats.plan().wants, token_sum::k3))
    visit("train/gen_kl_error", stats.mean(token_sum::k3));
  if (wants_sum(stats.plan().wants, token_sum::size_excess))
    visit("train/token_mult_prob_error", 1 + stats.mean(token_sum::size_excess));
}

} // namespace detail

/// Calls visit(const char* name, double value) for the figures that a trainer logs under that name,
/// if the contract keeps them. Makes no call without tokens. A value equals the trainer's if
/// inference is its rollout and the tokens are its batch.
///
/// Names that a trainer uses for anything but a mean over tokens are left out: verl's figures of
/// whole responses (`ppl_ratio`, `chi2_seq`, …), TRL's ratios of masked whole responses, and
/// averages over responses before tokens.
template <class TokenPlan, class Visit>
void visit_trainer_metrics(trainer whose, const token_stats<TokenPlan>& stats, Visit&& visit) {
  if (stats.count == 0)
    return;
  switch (whose) {
  case trainer::verl:
    return detail::visit_verl(stats, visit);
  case trainer::trl:
    return detail::visit_trl(stats, visit);
  case trainer::nemo_rl:
    return detail::visit_nemo_rl(stats, visit);
  }
}

/// Visits the figures of all slices together.
template <std::size_t Stream = 0, class Plan, class Visit>
void visit_trainer_metrics(trainer whose, const tally<Plan>& observations, Visit&& visit) {
  typename tally<Plan>::tokens_of whole;
  for (std::size_t slice = 0; slice < Plan::slices; ++slice)
    whole.merge(observations.tokens(Stream, slice));
  visit_trainer_metrics(whose, whole, visit);
}

} // namespace tikc
