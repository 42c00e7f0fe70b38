#include "verifier/Facts.h"

#include <algorithm>
#include <map>

namespace verify {
namespace {

struct Group {
  Level level;
  Domain domain;
  bool lower;
  std::string_view names;
};

constexpr Group groups[] = {
    {Level::Context, Domain::NonNegative, false,
     "logit_linf logit_osc logit_l2 logit_rel omega logprob_linf log_ratio_up log_ratio_down "
     "kl_train_infer kl_infer_train chi2 js entropy_gap "
     "sampled_abs_gap sampled_k2 sampled_k3 clip_loss ratio step_reward_drift"},
    {Level::Context, Domain::Any, false, "sampled_gap sampled_k1"},
    {Level::Context, Domain::Share, false,
     "tv plain_tv hellinger top1_flip missing_mass sampled_tv excess masked"},
    {Level::Context, Domain::NonNegative, true, "top1_margin sampled_ratio ratio_floor ess"},
    {Level::Response, Domain::NonNegative, false,
     "seq_kl_train_infer seq_kl seq_chi2 seq_log_ratio_up seq_log_ratio_down seq_sampled_abs_gap "
     "seq_ratio reward_drift discounted_reward_drift "
     "seq_clip_loss pg_prefix pg_cut pg_support pg_bias"},
    {Level::Response, Domain::Any, false, "seq_sampled_gap"},
    {Level::Response, Domain::Share, false, "seq_tv seq_sampled_tv seq_excess seq_masked"},
    {Level::Response, Domain::NonNegative, true, "seq_ratio_floor seq_ess"},
    {Level::Given, Domain::NonNegative, false,
     "mean_length logit_bound layer_error layer_gain hidden_drift head_norm reward_range "
     "step_reward_range step_reward_reach reward_sigma reward_lipschitz advantage "
     "score_norm mask_low clip_width gradient"},
    {Level::Given, Domain::Share, false, "cut_mass share discount"},
    {Level::Given, Domain::Positive, false, "train_temperature infer_temperature temperature cap"},
    {Level::Given, Domain::AtLeastOne, false, "ratio_cap mask_high"},
    {Level::Given, Domain::Count, false, "horizon vocabulary group"},
    {Level::Given, Domain::Marker, false,
     "greedy full_support step_plain step_weighted causal_plain causal_weighted return_plain "
     "return_weighted whole_weighted group_step_plain "
     "group_step_weighted group_plain group_weighted group_whole"},
};

std::map<std::string_view, Quantity> quantities() {
  std::map<std::string_view, Quantity> out;
  for (const Group& group : groups)
    for (std::string_view rest = group.names; !rest.empty();) {
      std::string_view name = take(rest, " ");
      out[name] = {name, group.level, group.domain, group.lower};
    }
  return out;
}

} // namespace

std::string_view take(std::string_view& text, std::string_view separator) {
  std::size_t end = std::min(text.find(separator), text.size());
  std::string_view out = text.substr(0, end);
  text.remove_prefix(std::min(end + separator.size(), text.size()));
  return out;
}

const Quantity* findQuantity(std::string_view name) {
  static const std::map<std::string_view, Quantity> known = quantities();
  auto found = known.find(name);
  return found == known.end() ? nullptr : &found->second;
}

Value inDomain(const Quantity& quantity, const Rational& value) {
  const Rational one = 1, zero = 0;
  switch (quantity.domain) {
  case Domain::Any:
    return value;
  case Domain::NonNegative:
    return zero <= value ? Value(value) : std::nullopt;
  case Domain::Share:
    if (value < zero || (one < value && quantity.level == Level::Given))
      return std::nullopt;
    return one < value ? one : value;
  case Domain::Positive:
    return zero < value ? Value(value) : std::nullopt;
  case Domain::AtLeastOne:
    return one <= value ? Value(value) : std::nullopt;
  case Domain::Count:
    return one <= value && value.isWhole() && value <= Rational(10'000'000) ? Value(value)
                                                                            : std::nullopt;
  case Domain::Marker:
    return value == zero ? Value(value) : std::nullopt;
  }
  return std::nullopt;
}

} // namespace verify
