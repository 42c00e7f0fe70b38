#include "verifier/Lemmas.h"

#include "verifier/Formulas.h"

#include <algorithm>

namespace verify {
namespace {

Value reversePinsker(Arguments a, Value (*each)(const Number& m, const Number& top)) {
  if (1 < a[1] || a[2] < 1)
    return std::nullopt;
  Value slopes = each(a[1], a[2]);
  return slopes ? Value(a[0] * *slopes) : std::nullopt;
}

bool isMask(Arguments a) { return a[1] < 1 && 1 < a[2]; }

constexpr bool full = true, any = false;
constexpr Shape concave = Shape::Concave, convex = Shape::Convex, unknown = Shape::Unknown;

#define IS(...) [](Arguments a) -> Value { return __VA_ARGS__; }
#define IF(hypothesis, ...)                                                                        \
  [](Arguments a) -> Value { return (hypothesis) ? Value(__VA_ARGS__) : std::nullopt; }

// clang-format off
const Lemma table[] = {
    {"L-OSC-EPS", "each logit_linf -> logit_osc", any, concave, IS(2 * a[0])},
    {"L-OSC-L2", "each logit_l2 -> logit_osc", any, concave, IS(sqrt(Number(2)) * a[0])},
    {"L-OSC-REL-MAX", "each logit_rel, given logit_bound -> logit_osc", any, concave, IS(2 * a[0] * max(a[1], 1))},
    {"L-OSC-TAU", "each logit_osc, given temperature -> omega", any, concave, IS(a[0] / a[1])},
    {"L-OSC-TEMP-Z", "each logit_osc, given logit_bound, given train_temperature, given infer_temperature -> omega", any, concave,
     IS(2 * a[1] * max(1 / a[2] - 1 / a[3], 1 / a[3] - 1 / a[2]) + a[0] / max(a[2], a[3]))},
    {"L-OSC-LP", "each logprob_linf -> omega", any, concave, IS(2 * a[0])},
    {"L-OSC-INT", "each log_ratio_down, each log_ratio_up -> omega", any, unknown, IS(a[0] + a[1])},
    {"L-LR-RANGE", "each omega -> log_ratio_up|log_ratio_down", full, concave, IS(a[0])},
    {"L-LR-LP", "each logprob_linf -> log_ratio_up|log_ratio_down", full, concave, IS(a[0])},
    {"L-LR-CAP", "given ratio_cap -> sup log_ratio_up", any, unknown, IS(log(a[0]))},
    {"L-LR-RATIO", "each log_ratio_up -> ratio", any, unknown, IS(exp(a[0]))},
    {"L-LR-FLOOR", "each log_ratio_down -> ratio_floor", full, unknown, IS(exp(-a[0]))},
    {"L-TV-OSC", "each omega -> tv", full, concave, IS(tanh(a[0] / 4))},
    {"L-TV-LP", "each logprob_linf -> tv", full, concave, IS(tanh(a[0] / 2))},
    {"L-TV-INT", "each log_ratio_down, each log_ratio_up -> tv", full, unknown,
     IS(isZero(a[0] + a[1]) ? Number(0) : expm1(a[1]) * -expm1(-a[0]) / (exp(a[1]) - exp(-a[0])))},
    {"L-INT-ONE", "each log_ratio_up -> tv", full, concave, IS(-expm1(-a[0]))},
    {"L-INT-ONE-KL", "each log_ratio_up -> kl_train_infer", full, concave, IS(a[0])},
    {"L-INT-ONE-CHI2", "each log_ratio_up -> chi2", full, convex, IS(expm1(a[0]))},
    {"L-INT-ONE-DOWN", "each log_ratio_down -> tv", full, concave, IS(-expm1(-a[0]))},
    {"L-HEL-OSC", "each omega -> hellinger", full, unknown, IS(tanh(a[0] / 4) * tanh(a[0] / 8))},
    {"L-KL-OSC", "each omega -> kl_train_infer|kl_infer_train", full, convex, IS(largestKl(a[0]))},
    {"L-KL-LP", "each logprob_linf -> kl_train_infer|kl_infer_train", full, unknown, IS(a[0] * tanh(a[0] / 2))},
    {"L-KL-INT", "each log_ratio_down, each log_ratio_up -> kl_train_infer", full, unknown,
     IS(isZero(a[0] + a[1]) ? Number(0) : (-expm1(-a[0]) * exp(a[1]) * a[1] - expm1(a[1]) * exp(-a[0]) * a[0]) / (exp(a[1]) - exp(-a[0])))},
    {"L-KLR-INT", "each log_ratio_down, each log_ratio_up -> kl_infer_train", full, unknown,
     IS(isZero(a[0] + a[1]) ? Number(0) : (expm1(a[1]) * a[0] + expm1(-a[0]) * a[1]) / (exp(a[1]) - exp(-a[0])))},
    {"L-CHI2-OSC", "each omega -> chi2", full, convex, IS(square(sinh(a[0] / 2)))},
    {"L-CHI2-LP", "each logprob_linf -> chi2", full, convex, IS(4 * square(sinh(a[0] / 2)))},
    {"L-CHI2-INT", "each log_ratio_down, each log_ratio_up -> chi2", full, unknown, IS(expm1(a[1]) * -expm1(-a[0]))},
    {"L-JS-OSC", "each omega -> js", full, unknown, IS(a[0] / 4 * tanh(a[0] / 4) - log1p(2 * square(sinh(a[0] / 8))))},
    {"L-HS-OSC", "each omega, given cap -> excess", full, unknown, IS(hockeyStick(a[0], a[1]))},
    {"L-HS-LP", "each logprob_linf, given cap -> excess", full, unknown,
     IS(max(max(0, 1 - a[1]), (exp(a[0]) - a[1]) / (1 + exp(a[0]))))},
    {"L-HS-TV", "each tv, given cap -> excess; each seq_tv, given cap -> seq_excess", any, concave, IS(min(1, a[0] + max(0, 1 - a[1])))},
    {"L-HS-SEQ", "sup omega, given cap, given horizon -> sup seq_excess", full, unknown, IS(hockeyStick(a[0] * a[2], a[1]))},
    {"L-TOP1", "each logit_osc, each top1_margin -> top1_flip", any, unknown, IF(a[0] < a[1], Number(0))},
    {"L-TOP1-GREEDY", "each top1_flip -> tv under greedy", any, concave, IS(a[0])},
    {"L-ENT-LIN-W", "each omega, given vocabulary, chosen -> entropy_gap", full, concave,
     IF(0 < a[2] && a[2] < 1 && 2 <= a[1] && log(a[1] - 1) + 2 * atanh(a[2]) <= 1 / a[2], min(log(a[1]), a[0] * (1 - square(a[2])) / (4 * a[2])))},
    {"L-ENT-TV", "each tv, given vocabulary -> entropy_gap", any, concave,
     IF(2 <= a[1], a[0] <= 1 - 1 / a[1] ? a[0] * log(a[1] - 1) + entropy(a[0]) : log(a[1]))},
    {"L-HEL-KL", "each kl_train_infer|kl_infer_train -> hellinger", any, concave, IS(-expm1(-a[0] / 2))},
    {"L-TV-VAJDA-LAM", "each kl_train_infer|kl_infer_train, chosen -> tv; each seq_kl_train_infer|seq_kl, chosen -> seq_tv", any, concave,
     IF(0 < a[1], (a[0] + log(expm1(a[1]) / a[1]) - 1) / a[1] + 1 / expm1(a[1]))},
    {"L-TV-HEL", "each hellinger -> tv", any, concave, IS(sqrt(a[0] * (2 - a[0])))},
    {"L-HEL-TV", "each tv -> hellinger", any, concave, IS(a[0])},
    {"L-KL-CHI2", "each chi2 -> kl_train_infer; each seq_chi2 -> seq_kl_train_infer", any, concave, IS(log1p(a[0]))},
    {"L-TV-CHI2", "each chi2 -> tv; each seq_chi2 -> seq_tv", any, concave, IS(a[0] <= 1 ? sqrt(a[0]) / 2 : a[0] / (1 + a[0]))},
    {"L-JS-TV-UP", "each tv -> js", any, concave, IS(a[0] * log(Number(2)))},
    {"L-TV-JS-W", "each js, chosen -> tv", any, concave,
     IF(0 <= a[1] && a[1] <= 1 && (isZero(a[0]) || a[0] <= log(Number(2)) - entropy((1 - a[1]) / 2)), a[1])},
    {"L-REVPINSKER-KL",
     "each tv, each ratio_floor, each ratio -> kl_train_infer; mean tv, sup ratio_floor, sup ratio -> mean kl_train_infer", full, unknown,
     IS(reversePinsker(a, [](const Number& m, const Number& top) -> Value { return slope(top, true) - slope(m, true); }))},
    {"L-REVPINSKER-KLR",
     "each tv, each ratio_floor, each ratio -> kl_infer_train; mean tv, sup ratio_floor, sup ratio -> mean kl_infer_train", full, unknown,
     IS(reversePinsker(a, [](const Number& m, const Number& top) -> Value { return isZero(m) ? Value() : slope(m, false) - slope(top, false); }))},
    {"L-REVPINSKER-CHI2", "each tv, each ratio_floor, each ratio -> chi2; mean tv, sup ratio_floor, sup ratio -> mean chi2", full, unknown,
     IS(reversePinsker(a, [](const Number& m, const Number& top) -> Value { return top - m; }))},
    {"L-K123", "mean sampled_k3 -> mean kl_infer_train", full, unknown, IS(a[0])},
    {"L-K1", "mean sampled_k1 -> mean kl_infer_train", full, unknown, IS(a[0])},
    {"L-K1-ABS", "mean sampled_abs_gap -> mean kl_infer_train; mean seq_sampled_abs_gap -> mean seq_kl", any, unknown, IS(a[0])},
    {"L-SUP-K3", "mean sampled_k3, mean missing_mass -> mean kl_infer_train", any, unknown, IS(a[0] + a[1])},
    {"L-K2-BAND-UP", "mean sampled_k2, sup log_ratio_up -> mean kl_infer_train", full, unknown,
     IS(isZero(a[1]) ? a[0] : a[0] * 2 * (expm1(a[1]) - a[1]) / square(a[1]))},
    {"L-TV-EST", "mean sampled_tv -> mean tv; mean seq_sampled_tv -> mean seq_tv", any, unknown, IS(a[0])},
    {"L-TV-MALP", "mean sampled_abs_gap -> mean tv; mean seq_sampled_abs_gap -> mean seq_tv", any, unknown, IS(-expm1(-a[0]))},
    {"L-MALP-K2", "mean sampled_k2 -> mean sampled_abs_gap", any, unknown, IS(sqrt(2 * a[0]))},
    {"L-TV-MALP-B-W", "mean sampled_abs_gap, sup log_ratio_up, chosen -> mean tv", full, unknown,
     IF(0 <= a[2] && a[2] < 1 && a[0] <= a[2] * (isZero(a[1]) ? Number(1) : a[1] / expm1(a[1])) - log1p(-a[2]), a[2])},
    {"L-TV-SAMPQ", "at sampled_gap -> mean tv; at seq_sampled_gap -> mean seq_tv", any, unknown, IS((1 - a[0]) * max(0, -expm1(-a[1])) + a[0])},
    {"L-TV-SAMPQ-RATIO", "at sampled_ratio -> mean tv", any, unknown, IS((1 - a[0]) * (1 - min(a[1], 1)) + a[0])},
    {"L-ESS-OSC", "each omega -> ess", full, unknown, IS(1 / (1 + square(sinh(a[0] / 2))))},
    {"L-ESS-LP", "each logprob_linf -> ess", full, unknown, IS(1 / (1 + 4 * square(sinh(a[0] / 2))))},
    {"L-ESS-CHI2", "each chi2 -> ess; mean chi2 -> mean ess; each seq_chi2 -> seq_ess; mean seq_chi2 -> mean seq_ess", any, unknown,
     IS(1 / (1 + a[0]))},
    {"L-NET-HEAD", "given head_norm, given hidden_drift -> sup logit_osc", any, unknown, IS(a[0] * a[1])},

    {"L-SEQ-TV", "sup tv, given horizon -> sup seq_tv", any, unknown, IS(anyOf(a[0], a[1]))},
    {"L-SEQ-TVMEAN", "mean tv, given horizon -> mean seq_tv", any, unknown, IS(min(1, a[0] * a[1]))},
    {"L-SEQ-LEN", "mean tv, given mean_length -> mean seq_tv", any, unknown, IS(min(1, a[0] * a[1]))},
    {"L-SEQ-HEL", "sup omega, given horizon -> sup seq_tv", full, unknown, IS(hellingerTv(a[0], a[1]))},
    {"L-SEQ-HEL-H2", "sup hellinger, given horizon -> sup seq_tv", any, unknown, IS(sqrt(anyOf(a[0], 2 * a[1])))},
    {"L-SEQ-RR", "sup logprob_linf, given horizon -> sup seq_tv", full, unknown, IS(binomialTv(a[0], a[1]))},
    {"L-SEQ-KL-SUM",
     "sup kl_train_infer, given horizon -> sup seq_kl_train_infer; sup kl_infer_train, given horizon -> sup seq_kl; mean kl_infer_train, given "
     "horizon|mean_length -> mean seq_kl",
     any, unknown, IS(a[0] * a[1])},
    {"L-SEQ-CHI2", "sup omega, given horizon -> sup seq_chi2", full, unknown, IS(expm1(a[1] * log1p(square(sinh(a[0] / 2)))))},
    {"L-SEQ-CHI2-LP", "sup logprob_linf, given horizon -> sup seq_chi2", full, unknown, IS(expm1(a[1] * log1p(4 * square(sinh(a[0] / 2)))))},
    {"L-SEQ-CHI2-PROD", "sup chi2, given horizon -> sup seq_chi2", any, unknown, IS(pow(1 + a[0], a[1]) - 1)},
    {"L-SEQ-LR", "sup log_ratio_up, given horizon -> sup seq_log_ratio_up; sup log_ratio_down, given horizon -> sup seq_log_ratio_down", any,
     unknown, IS(a[0] * a[1])},
    {"L-SEQ-RATIO", "each seq_log_ratio_up -> seq_ratio", any, unknown, IS(exp(a[0]))},
    {"L-SEQ-FLOOR", "each seq_log_ratio_down -> seq_ratio_floor", any, unknown, IS(exp(-a[0]))},
    {"L-SEQ-LRCONC-UP", "sup omega, given horizon, asked -> quantile seq_log_ratio_up", full, unknown, IS(a[0] * sqrt(a[1] * log(1 / a[2]) / 2))},
    {"L-SEQ-LRCONC-LO", "sup omega, given horizon, asked -> quantile seq_log_ratio_down", full, unknown,
     IS(a[1] * largestKl(a[0]) + a[0] * sqrt(a[1] * log(1 / a[2]) / 2))},
    {"L-SEQ-VILLE", "asked -> quantile seq_log_ratio_up", full, unknown, IS(log(1 / a[0]))},
    {"L-SEQ-BAD-UNION", "at omega, given horizon -> mean seq_tv", full, unknown, IS(min(1, a[0] * a[2] + hellingerTv(a[1], a[2])))},
    {"L-ESS-SEQ", "sup omega, given horizon -> sup seq_ess", full, unknown, IS(exp(-a[1] * log1p(square(sinh(a[0] / 2)))))},

    {"L-R-RANGE",
     "given reward_range, each seq_tv -> reward_drift; given reward_range, mean seq_tv -> mean reward_drift; given step_reward_range, each tv -> "
     "step_reward_drift; given step_reward_range, mean tv -> mean step_reward_drift",
     any, concave, IS(a[0] * a[1])},
    {"L-R-KL", "given reward_sigma, each seq_kl_train_infer -> reward_drift; given reward_sigma, mean seq_kl_train_infer -> mean reward_drift", any,
     concave, IS(a[0] * sqrt(2 * a[1]))},
    {"L-R-LIP",
     "given reward_lipschitz, given horizon, each seq_tv -> reward_drift; given reward_lipschitz, given horizon, mean seq_tv -> mean reward_drift", any,
     concave, IS(a[0] * a[1] * a[2])},
    {"L-R-DISC", "given step_reward_reach, sup tv, given discount -> sup discounted_reward_drift", any, unknown,
     IF(a[2] < 1, a[0] * a[1] / ((1 - a[2]) * (1 - a[2] + a[2] * a[1])))},
    {"L-R-DISC-T", "given step_reward_reach, sup tv, given discount, given horizon -> sup discounted_reward_drift", any, unknown,
     IS(a[0] * (geometric(a[2], a[3]) - (1 - a[1]) * geometric(a[2] * (1 - a[1]), a[3])))},
    {"L-R-DISC-HEL", "given step_reward_reach, sup omega, given discount, given horizon -> sup discounted_reward_drift", full, unknown,
     IS(a[0] * hellingerSum(a[1], a[2], a[3]))},
    {"L-R-DISC-RETURN",
     "given step_reward_reach, given discount, given horizon, each seq_tv -> discounted_reward_drift; given step_reward_reach, given discount, given "
     "horizon, mean seq_tv -> mean discounted_reward_drift",
     any, concave, IS(a[0] * geometric(a[1], a[2]) * a[3])},

    {"L-PG-B", "given advantage, given score_norm -> given gradient", any, unknown, IS(a[0] * a[1])},
    {"L-AMAX-POP", "given group -> given advantage", any, unknown, IS(sqrt(a[0] - 1))},
    {"L-PG-STEP", "given gradient, mean tv -> mean pg_bias under step_plain", any, unknown, IS(2 * a[0] * a[1])},
    {"L-PG-SEQNAIVE-TV", "given gradient, sup tv, given horizon -> sup pg_bias under causal_plain", any, unknown,
     IS(2 * a[0] * (a[2] - (1 - a[1]) * geometric(1 - a[1], a[2])))},
    {"L-PG-SEQNAIVE-HEL", "given gradient, sup omega, given horizon -> sup pg_bias under causal_plain", full, unknown,
     IS(2 * a[0] * hellingerSum(a[1], 1, a[2]))},
    {"L-PG-RETURN",
     "given gradient, mean seq_tv, given horizon -> mean pg_bias under causal_plain|return_plain; given gradient, mean seq_tv, given horizon -> "
     "mean pg_prefix under causal_weighted",
     any, unknown, IS(2 * a[0] * a[1] * a[2])},
    {"L-PG-TOK-TV", "given gradient, sup tv, given horizon -> sup pg_prefix under causal_weighted", any, unknown,
     IS(2 * a[0] * (a[2] - geometric(1 - a[1], a[2])))},
    {"L-PG-TOK-HEL", "given gradient, sup omega, given horizon -> sup pg_prefix under causal_weighted", full, unknown,
     IS(2 * a[0] * hellingerSum(a[1], 1, a[2] - 1))},
    {"L-PG-TOKMC-TV", "given gradient, sup tv, given horizon -> sup pg_prefix under return_weighted", any, unknown,
     IS(2 * a[0] * a[2] * anyOf(a[1], a[2] - 1))},
    {"L-PG-TOKMC-HEL", "given gradient, sup omega, given horizon -> sup pg_prefix under return_weighted", full, unknown,
     IS(2 * a[0] * a[2] * hellingerTv(a[1], a[2] - 1))},
    {"L-PG-GROUP-SUM",
     "given gradient, mean seq_tv, given group, given horizon -> mean pg_bias under group_plain; given gradient, mean seq_tv, given group, given horizon "
     "-> mean pg_prefix under group_whole",
     any, unknown, IS(2 * a[0] * a[3] * anyOf(a[1], a[2]))},
    {"L-PG-GROUP-HEL",
     "given gradient, sup omega, given group, given horizon -> sup pg_bias under group_plain; given gradient, sup omega, given group, given horizon -> "
     "sup pg_prefix under group_weighted",
     full, unknown, IS(2 * a[0] * a[3] * hellingerTv(a[1], a[2] * a[3]))},
    {"L-PG-GROUP-TOK", "given gradient, sup tv, given group, given horizon -> sup pg_prefix under group_weighted", any, unknown,
     IS(2 * a[0] * a[3] * anyOf(a[1], a[2] * a[3]))},
    {"L-PG-CUT", "given gradient, mean excess|masked|clip_loss -> mean pg_cut under step_weighted", any, unknown, IS(a[0] * a[1])},
    {"L-PG-CUT-SUM",
     "given gradient, mean excess|masked|clip_loss, given horizon -> mean pg_cut under causal_weighted|return_weighted|group_weighted; given gradient, "
     "mean seq_excess|seq_masked|seq_clip_loss, given horizon -> mean pg_cut under whole_weighted|group_whole",
     any, unknown, IS(a[0] * a[1] * a[2])},
    {"L-HS-CHI2", "each chi2, given cap -> excess; each seq_chi2, given cap -> seq_excess", full, concave,
     IS(a[1] < (1 + a[0]) / 2 ? 1 - a[1] / (1 + a[0]) : (sqrt(a[0] + square(a[1] - 1)) - (a[1] - 1)) / 2)},
    {"L-PG-MASK-TV", "each tv, given mask_low, given mask_high -> masked; each seq_tv, given mask_low, given mask_high -> seq_masked", full, concave,
     IF(isMask(a), min(1, a[0] * (a[2] / (a[2] - 1) + a[1] / (1 - a[1]))))},
    {"L-PG-MASK-OSC", "each omega, given mask_low, given mask_high -> masked", full, unknown, IF(isMask(a), maskedByOsc(a[0], a[1], a[2]))},
    {"L-PG-MASK-CHI2", "each chi2, given mask_low, given mask_high -> masked; each seq_chi2, given mask_low, given mask_high -> seq_masked", full,
     concave, IF(isMask(a), maskedByChi2(a[0], a[1], a[2]))},
    {"L-PG-CLIP-OSC", "each omega, given clip_width -> clip_loss", full, unknown, IS(clipped(a[0], a[1]))},
    {"L-CLIP-TV", "each tv, given clip_width -> clip_loss; each seq_tv, given clip_width -> seq_clip_loss", full, concave, IS(2 * a[0])},
    {"L-SUP-TV", "each omega, each missing_mass -> tv", any, unknown, IS(hockeyStick(a[0], 1 - a[1]))},
    {"L-SUP-TVQ", "each omega, given cut_mass -> tv", any, unknown,
     IF(a[1] < 1, exp(-a[0] / 2) / sqrt(1 - a[1]) < 1 / (1 + a[1] * expm1(a[0])) ? square(exp(a[0] / 2) / sqrt(1 - a[1]) - 1) / expm1(a[0])
                                                                               : a[1] * exp(a[0]) / (1 + a[1] * expm1(a[0])))},
    {"L-SUP-CUT", "each plain_tv, given cut_mass -> tv; mean plain_tv, given cut_mass -> mean tv", any, concave, IS(min(1, a[0] + a[1]))},
    {"L-SUP-ETA", "given cut_mass, each omega -> missing_mass", any, unknown, IS(isZero(a[0]) ? Number(0) : a[0] / (a[0] + (1 - a[0]) * exp(-a[1])))},
    {"L-SUP-KL", "each omega, each missing_mass -> kl_infer_train", any, unknown, IF(a[1] < 1, largestKl(a[0]) - log1p(-a[1]))},
    {"L-SUP-IS", "given gradient, mean missing_mass -> mean pg_support under step_weighted", any, unknown, IS(a[0] * a[1])},
    {"L-SUP-IS-SUM",
     "given gradient, mean missing_mass, given horizon -> mean pg_support under causal_weighted|return_weighted|group_weighted", any, unknown,
     IS(a[0] * a[1] * a[2])},
    {"L-SUP-IS-WHOLE", "given gradient, sup missing_mass, given horizon -> sup pg_support under whole_weighted|group_whole", any, unknown,
     IS(a[0] * a[2] * anyOf(a[1], a[2]))},
    {"L-PG-SUM", "mean pg_prefix, mean pg_cut, mean pg_support -> mean pg_bias", any, unknown, IS(a[0] + a[1] + a[2])},
};
// clang-format on

#undef IS
#undef IF

/// "each a|b -> c" is "each a -> c" and "each b -> c".
void expand(const std::string& use, std::vector<Use>& out) {
  if (std::size_t bar = use.find('|'); bar != std::string::npos) {
    std::size_t from = use.rfind(' ', bar) + 1,
                end = std::min(use.find_first_of(" ,", bar), use.size());
    std::string_view names = std::string_view(use).substr(from, end - from);
    while (!names.empty())
      expand(use.substr(0, from) + std::string(take(names, "|")) + use.substr(end), out);
    return;
  }
  std::string_view conclusion = use, premises = take(conclusion, " -> ");
  Use result{};
  while (!premises.empty()) {
    std::string_view name = take(premises, ", "), need = take(name, " ");
    result.premises.push_back({std::string(need), findQuantity(name)});
  }
  std::string_view under = conclusion, what = take(under, " under "), name = what,
                   word = take(name, " ");
  result.quantifier = word == "mean"       ? Quantifier::Mean
                      : word == "given"    ? Quantifier::Given
                      : word == "quantile" ? Quantifier::Quantile
                                           : Quantifier::Sup;
  result.concludes = findQuantity(name.empty() ? what : name);
  result.under = findQuantity(under) != nullptr ? findQuantity(under)->name : "";
  out.push_back(result);
}

} // namespace

const Lemma* findLemma(std::string_view id) {
  auto found = std::find_if(std::begin(table), std::end(table),
                            [&](const Lemma& lemma) { return lemma.id == id; });
  return found == std::end(table) ? nullptr : found;
}

std::vector<Use> usesOf(const Lemma& lemma) {
  std::vector<Use> out;
  for (std::string_view rest = lemma.uses; !rest.empty();)
    expand(std::string(take(rest, "; ")), out);
  return out;
}

} // namespace verify
