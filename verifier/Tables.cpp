#include "verifier/Formula.h"

namespace verify {
namespace {

// Level and kind, side, and the condition of the domain. A share is bounded from above, and never
// above 1. A sample is a figure of what somebody drew; a drift is infinite where one kernel masks
// what the other does not; what is pooled is a ratio of two means, of which slices say nothing.
// What is given is about all kernels, about the ends of the chain and what
// they serve, about its first link, about what age makes of the trainer, or about what its text
// says.
constexpr std::string_view quantityRows = R"(
context drift above 0 <= a: logit_linf logit_osc logit_l2 logit_rel omega logprob_linf
context plain above 0 <= a: log_ratio_up log_ratio_down kl_train_infer kl_infer_train chi2 js entropy_gap clip_loss ratio
  largest_ratio
  step_reward_drift
context sample above 0 <= a: sampled_abs_gap sampled_k2 sampled_k3 sampled_mult_error sampled_binary_kl sampled_ratio_up
context sample above 1: sampled_gap sampled_rise sampled_k1
context plain share 0 <= a: tv hellinger top1_flip missing_mass excess masked
context sample share 0 <= a: sampled_tv sampled_prob_gap
context sample above 0 <= a: sampled_square
context plain below 0 <= a: top1_margin ratio_floor least_ratio ess
context sample below 0 <= a: sampled_ratio
response plain above 0 <= a: seq_kl_train_infer seq_kl seq_chi2 seq_log_ratio_up seq_log_ratio_down seq_ratio reward_drift
  discounted_reward_drift seq_clip_loss pg_prefix pg_cut pg_support pg_bias mean_length length_drift
response pooled above 0 <= a: pg_token_bias pg_token_prefix pg_token_cut pg_token_support
response sample above 0 <= a: seq_sampled_abs_gap seq_geo_ratio_up seq_sampled_ratio_up seq_sampled_square k3_by_response abs_gap_by_response
response sample above 1: seq_sampled_gap seq_sampled_rise seq_sampled_k1
response sample below 0 <= a: seq_geo_ratio seq_sampled_ratio seq_least_ratio
response sample share 0 <= a: tv_by_response
response plain share 0 <= a: seq_tv seq_excess seq_masked
response sample share 0 <= a: seq_sampled_tv
response plain below 0 <= a: seq_ratio_floor seq_ess least_length
given all above 0 <= a: logit_bound reward_range step_reward_range step_reward_reach reward_lipschitz
given all above 0 <= a and a <= 1: discount
given all above 1 <= a and a <= 10000000 and whole(a): horizon vocabulary
given ends above 0 <= a: reward_sigma advantage score_norm mask_low clip_width gradient weight_mean weight_cap
given ends above 0 <= a and a <= 1: cut_mass
given ends above 0 < a: cap
given ends above 1 <= a: ratio_cap mask_high
given ends above 1 <= a and a <= 10000000 and whole(a): group
given ends above a == 0: full_support step_plain step_weighted causal_plain causal_weighted return_plain return_weighted
  whole_weighted group_step_plain group_step_weighted group_plain group_weighted group_whole
  mean_plain mean_weighted mean_whole group_mean_plain group_mean_weighted group_mean_whole
given first above 0 <= a: hidden_drift head_norm
given age above 0 <= a: stale_steps step_drift
given place above 0 <= a and a <= 1: weight token_weight
given place above 0 < a: train_temperature infer_temperature temperature
given place above a == 0: greedy)";

// Of one number a, or of two.
constexpr std::string_view functionRows = R"(
positive: max(0, a)
square: a * a
sinh: (exp(a) - exp(-a)) / 2
tanh: (1 - exp(-2 * a)) / (1 + exp(-2 * a))
atanh: log((1 + a) / (1 - a)) / 2
slope: if(a == 1, 1, log(a) / (a - 1))
slopeUp: if(a == 0, 0, a * slope(a))
largestKl: if(a == 0, 0, a / 2 / tanh(a / 2) - 1 + log(sinh(a / 2) / (a / 2)))
surprise: if(a == 0, 0, a * log(1 / a))
entropy: surprise(a) + surprise(1 - a)
hockeyStick: if(a * b == 0, positive(1 - b), if(exp(a) <= b, 0, if(b * exp(a) <= 1, 1 - b,
  square(exp(a / 2) - sqrt(b)) / (exp(a) - 1))))
anyOf: 1 - pow(1 - a, b)
geometric: if(a == 1, b, (1 - pow(a, b)) / (1 - a))
momentSlope: (exp(a * b) - 1) / (exp(a) - 1)
logMoment: if(a == 0, 0, (b - 1) * log(momentSlope(a, b) * (b - 1) / ((momentSlope(a, b) - 1) * b)) + log(momentSlope(a, b) / b))
logShare: (a - 1) * log(a - 1) - a * log(a)
hellingerTv: sqrt(1 - exp(-2 * b * log(1 + 2 * square(sinh(a / 8))))))";

// Id: premises -> conclusion; further ones [words] = formula if hypothesis. Premises are a, b, c
// and so on:
//   each q    a supremum or a quantile; the conclusion is a supremum, or fails on all their shares
//   sup q, mean q; q alone is given
//   within q  a supremum, or a quantile that fails on no more than the conclusion does
//   at q      two of the letters: the share on which the quantile fails, and its value
//   chosen    a free parameter; asked: the share on which the conclusion may fail
// q|r is one or the other; Q is the quantity that is concluded, S also a share, P one that is never
// negative. A premise is about the two laws that the conclusion is about, or where it says so about
//   @rows     those that rows of the two kernels compare
//   @whole    the trainer's served law and the server's before it cuts
//   @kept     the trainer's served law given what the server serves, and the server's served law
//   @unmasked the trainer's served law given what the server does not mask, and the server's law
//             before it cuts
// Words: 'full' is one more premise, full_support, which a drift stands for, too; 'drawn': what the
// second kernel draws is counted; 'served' and
// 'kept' are the laws that the conclusion is about; 'concave' and 'convex' are of the curve in the
// one `each` premise; a convex one is 0 at 0. Formulas are nondecreasing in every drift, so that
// upper bounds may enter for it.
constexpr std::string_view lemmaRows = R"(
L-CAP:  -> sup S = 1
L-MEAN-SUP: sup Q -> mean Q = a
L-QUANTILE-SUP: within Q -> quantile Q = a
L-MARKOV: mean P, asked -> quantile P = a / b if 0 < b
L-OSC-EPS: each logit_linf -> logit_osc [concave strict] = 2 * a
L-OSC-L2: each logit_l2 -> logit_osc [concave strict] = sqrt(2) * a
L-OSC-REL-MAX: each logit_rel, logit_bound -> logit_osc [concave] = 2 * a * max(b, 1)
L-OSC-TAU: each logit_osc, temperature -> omega [concave strict] = a / b
L-OSC-TEMP-Z: each logit_osc, logit_bound, train_temperature, infer_temperature -> omega [concave]
  = 2 * b * max(1 / c - 1 / d, 1 / d - 1 / c) + a / max(c, d)
L-OSC-LP: each logprob_linf -> omega [concave strict] = 2 * a
L-OSC-INT: each log_ratio_down, each log_ratio_up -> omega [full] = a + b
L-LR-RANGE: each omega -> log_ratio_up|log_ratio_down [full concave strict] = a
L-LR-LP: each logprob_linf -> log_ratio_up|log_ratio_down [full concave strict] = a
L-LR-CAP: ratio_cap -> sup log_ratio_up = log(a)
L-LR-RATIO: each log_ratio_up -> ratio|largest_ratio [strict] = exp(a)
L-LR-FLOOR: each log_ratio_down -> ratio_floor|least_ratio [strict] = exp(-a)
L-SAMP-LOG: each sampled_ratio -> sampled_gap; each seq_sampled_ratio -> seq_sampled_gap [strict] = -log(a) if 0 < a
L-SAMP-LOG-UP: each sampled_ratio_up -> sampled_rise; each seq_sampled_ratio_up -> seq_sampled_rise [strict] = log(max(a, 1))
L-SAMP-TV: each sampled_tv -> sampled_gap; each seq_sampled_tv -> seq_sampled_gap [strict] = -log(1 - a) if a < 1
L-SAMP-ABS: each sampled_abs_gap -> sampled_gap|sampled_rise; each seq_sampled_abs_gap -> seq_sampled_gap|seq_sampled_rise [strict]
  = a
L-SAMP-K3: each sampled_k3, chosen -> sampled_gap = b if 0 <= b and a <= exp(-b) - 1 + b
L-SAMP-K3-UP: each sampled_k3, chosen -> sampled_rise = b if 0 <= b and a <= exp(b) - 1 - b
L-SAMP-ALL: sup sampled_gap -> sup log_ratio_down [strict] = max(a, 0)
L-SAMP-ALL-UP: sup sampled_rise -> sup log_ratio_up [full strict] = max(a, 0)
L-SAMP-SEQ: each seq_sampled_gap -> seq_log_ratio_down [strict] = a
L-SAMP-SEQ-UP: each seq_sampled_rise -> seq_log_ratio_up [full strict] = a
L-SAMP-RATIO: each sampled_rise -> ratio [full strict] = exp(a)
L-SAMP-FLOOR: each sampled_gap -> ratio_floor [strict] = exp(-a)
L-TV-OSC: each omega -> tv [full concave strict] = tanh(a / 4)
L-TV-LP: each logprob_linf -> tv [full concave strict] = tanh(a / 2)
L-TV-INT: each log_ratio_down, each log_ratio_up -> tv;
  sup seq_log_ratio_down, sup seq_log_ratio_up -> sup seq_tv [full]
  = if(a + b == 0, 0, (exp(b) - 1) * (1 - exp(-a)) / (exp(b) - exp(-a)))
L-INT-ONE: each log_ratio_up -> tv; sup seq_log_ratio_up -> sup seq_tv [full concave strict] = 1 - exp(-a)
L-INT-ONE-KL: each log_ratio_up -> kl_train_infer; sup seq_log_ratio_up -> sup seq_kl_train_infer [full concave strict] = a
L-INT-ONE-CHI2: each log_ratio_up -> chi2; sup seq_log_ratio_up -> sup seq_chi2 [full convex strict] = exp(a) - 1
L-INT-ONE-DOWN: each log_ratio_down -> tv; sup seq_log_ratio_down -> sup seq_tv [concave strict] = 1 - exp(-a)
L-INT-ONE-KLR: each log_ratio_down -> kl_infer_train; sup seq_log_ratio_down -> sup seq_kl [concave strict] = a
L-HEL-OSC: each omega -> hellinger [full] = tanh(a / 4) * tanh(a / 8)
L-KL-OSC: each omega -> kl_train_infer|kl_infer_train [full convex] = largestKl(a)
L-KL-LP: each logprob_linf -> kl_train_infer|kl_infer_train [full] = a * tanh(a / 2)
L-KL-INT: each log_ratio_down, each log_ratio_up -> kl_train_infer;
  sup seq_log_ratio_down, sup seq_log_ratio_up -> sup seq_kl_train_infer [full]
  = if(a + b == 0, 0, ((1 - exp(-a)) * exp(b) * b - (exp(b) - 1) * exp(-a) * a) / (exp(b) - exp(-a)))
L-KLR-INT: each log_ratio_down, each log_ratio_up -> kl_infer_train;
  sup seq_log_ratio_down, sup seq_log_ratio_up -> sup seq_kl [full]
  = if(a + b == 0, 0, ((exp(b) - 1) * a - (1 - exp(-a)) * b) / (exp(b) - exp(-a)))
L-CHI2-OSC: each omega -> chi2 [full convex] = square(sinh(a / 2))
L-CHI2-LP: each logprob_linf -> chi2 [full convex] = 4 * square(sinh(a / 2))
L-CHI2-INT: each log_ratio_down, each log_ratio_up -> chi2;
  sup seq_log_ratio_down, sup seq_log_ratio_up -> sup seq_chi2 [full]
  = (exp(b) - 1) * (1 - exp(-a))
L-JS-OSC: each omega -> js [full] = a / 4 * tanh(a / 4) - log(1 + 2 * square(sinh(a / 8)))
L-HS-OSC: each omega, cap -> excess [full] = hockeyStick(a, b)
L-HS-LP: each logprob_linf, cap -> excess [full] = max(positive(1 - b), (exp(a) - b) / (1 + exp(a)))
L-HS-TV: each tv, cap -> excess; each seq_tv, cap -> seq_excess [concave] = min(1, a + positive(1 - b))
L-HS-SEQ: sup omega, cap, horizon -> sup seq_excess [full] = hockeyStick(a * c, b)
L-TOP1-BOTH: each logit_osc, each top1_margin -> top1_flip = 0 if a < 2 * b
L-TOP1-SERVED: each @rows top1_flip -> top1_flip; mean @rows top1_flip -> mean top1_flip [served strict] = a
L-TOP1-GREEDY: each top1_flip, greedy -> tv [concave strict] = a
L-ENT-LIN-W: each omega, vocabulary, chosen -> entropy_gap [full concave]
  = min(log(b), a * (1 - square(c)) / (4 * c)) if 0 < c and c < 1 and 2 <= b and log(b - 1) + 2 * atanh(c) <= 1 / c
L-ENT-TV: each tv, vocabulary -> entropy_gap [concave] = if(a <= 1 - 1 / b, a * log(b - 1) + entropy(a), log(b)) if 2 <= b
L-HEL-KL: each kl_train_infer|kl_infer_train -> hellinger [concave] = 1 - exp(-a / 2)
L-TV-VAJDA-LAM: each kl_train_infer|kl_infer_train, chosen -> tv; each seq_kl_train_infer|seq_kl, chosen -> seq_tv [concave]
  = (a + log((exp(b) - 1) / b) - 1) / b + 1 / (exp(b) - 1) if 0 < b
L-TV-HEL: each hellinger -> tv [concave] = sqrt(a * (2 - a))
L-HEL-TV: each tv -> hellinger [concave strict] = a
L-KL-CHI2: each chi2 -> kl_train_infer; each seq_chi2 -> seq_kl_train_infer [concave] = log(1 + a)
L-TV-CHI2: each chi2 -> tv; each seq_chi2 -> seq_tv [concave] = if(a <= 1, sqrt(a) / 2, a / (1 + a))
L-JS-HEL: each hellinger -> js [concave strict] = log(2) - entropy((1 - sqrt(a * (2 - a))) / 2)
L-JS-KL: each kl_train_infer|kl_infer_train -> js [concave strict] = a * log(2) / 2
L-JS-TV-UP: each tv -> js [concave] = a * log(2)
L-TV-JS-W: each js, chosen -> tv [concave] = b if 0 <= b and b <= 1 and if(a == 0, 1, a <= log(2) - entropy((1 - b) / 2))
L-REVPINSKER-KL: each tv, each least_ratio, each largest_ratio -> kl_train_infer;
  mean tv, sup least_ratio, sup largest_ratio -> mean kl_train_infer [full] = a * (slopeUp(c) - slopeUp(b)) if b <= 1 and 1 <= c
L-REVPINSKER-KLR: each tv, each least_ratio, each largest_ratio -> kl_infer_train;
  mean tv, sup least_ratio, sup largest_ratio -> mean kl_infer_train [full] = a * (slope(b) - slope(c)) if 0 < b and b <= 1 and 1 <= c
L-REVPINSKER-CHI2: each tv, each least_ratio, each largest_ratio -> chi2; mean tv, sup least_ratio, sup largest_ratio -> mean chi2 [full]
  = a * (c - b) if b <= 1 and 1 <= c
L-K123: mean sampled_k3 -> mean kl_infer_train; sup sampled_k3 -> sup kl_infer_train [full strict] = a
L-K1: mean sampled_k1 -> mean kl_infer_train; mean seq_sampled_k1 -> mean seq_kl [full strict] = a
L-K1-ABS: mean sampled_abs_gap -> mean kl_infer_train; mean seq_sampled_abs_gap -> mean seq_kl [strict] = a
L-SUP-K3: mean sampled_k3, mean missing_mass -> mean kl_infer_train = a + b
L-K2-BAND-UP: mean sampled_k2, sup log_ratio_up -> mean kl_infer_train [full] = if(b == 0, a, a * 2 * (exp(b) - 1 - b) / square(b))
L-CHI2-SQUARE: mean sampled_square -> mean chi2; mean seq_sampled_square -> mean seq_chi2 [full strict] = max(0, a - 1)
L-SEQ-TV-BYRESP: mean tv_by_response, horizon -> mean seq_tv [strict] = min(1, a * b)
L-SEQ-KL-BYRESP: mean k3_by_response, horizon -> mean seq_kl [full strict] = a * b
L-SEQ-GAP-BYRESP: mean abs_gap_by_response, horizon -> mean seq_sampled_abs_gap [strict] = a * b
L-SEQ-VETO: each seq_least_ratio, horizon -> seq_sampled_ratio = pow(min(1, a), b)
L-FDIV-CHI2-KLR: each kl_infer_train, each log_ratio_up -> chi2; mean kl_infer_train, sup log_ratio_up -> mean chi2;
  mean seq_kl, sup seq_log_ratio_up -> mean seq_chi2 [full]
  = if(b == 0, 2 * a, a * square(exp(b) - 1) / (exp(b) - 1 - b))
L-FDIV-KL-KLR: each kl_infer_train, each log_ratio_up -> kl_train_infer; mean kl_infer_train, sup log_ratio_up -> mean kl_train_infer;
  mean seq_kl, sup seq_log_ratio_up -> mean seq_kl_train_infer [full]
  = if(b == 0, 1 * a, a * (b * exp(b) - exp(b) + 1) / (exp(b) - 1 - b))
L-FDIV-HEL-KLR: each kl_infer_train, each log_ratio_up -> hellinger; mean kl_infer_train, sup log_ratio_up -> mean hellinger [full]
  = if(b == 0, 1 / 4 * a, a * (square(exp(b / 2) - 1) / 2) / (exp(b) - 1 - b))
L-FDIV-CHI2-KL: each kl_train_infer, each log_ratio_up -> chi2; mean kl_train_infer, sup log_ratio_up -> mean chi2;
  mean seq_kl_train_infer, sup seq_log_ratio_up -> mean seq_chi2 [full]
  = if(b == 0, 2 * a, a * square(exp(b) - 1) / (b * exp(b) - exp(b) + 1))
L-FDIV-HEL-KL: each kl_train_infer, each log_ratio_down -> hellinger; mean kl_train_infer, sup log_ratio_down -> mean hellinger [full]
  = if(b == 0, 1 / 4 * a, a * (square(exp((-b) / 2) - 1) / 2) / ((-b) * exp((-b)) - exp((-b)) + 1))
L-FDIV-CHI2-HEL: each hellinger, each log_ratio_up -> chi2; mean hellinger, sup log_ratio_up -> mean chi2 [full]
  = if(b == 0, 8 * a, a * square(exp(b) - 1) / (square(exp(b / 2) - 1) / 2))
L-FDIV-KL-HEL: each hellinger, each log_ratio_up -> kl_train_infer; mean hellinger, sup log_ratio_up -> mean kl_train_infer [full]
  = if(b == 0, 4 * a, a * (b * exp(b) - exp(b) + 1) / (square(exp(b / 2) - 1) / 2))
L-FDIV-KLR-KL: each kl_train_infer, each log_ratio_down -> kl_infer_train; mean kl_train_infer, sup log_ratio_down -> mean kl_infer_train;
  mean seq_kl_train_infer, sup seq_log_ratio_down -> mean seq_kl [full]
  = if(b == 0, 1 * a, a * (exp((-b)) - 1 - (-b)) / ((-b) * exp((-b)) - exp((-b)) + 1))
L-FDIV-KLR-HEL: each hellinger, each log_ratio_down -> kl_infer_train; mean hellinger, sup log_ratio_down -> mean kl_infer_train [full]
  = if(b == 0, 4 * a, a * (exp((-b)) - 1 - (-b)) / (square(exp((-b) / 2) - 1) / 2))
L-FDIV-KLR-CHI2: each chi2, each log_ratio_down -> kl_infer_train; mean chi2, sup log_ratio_down -> mean kl_infer_train;
  mean seq_chi2, sup seq_log_ratio_down -> mean seq_kl [full]
  = if(b == 0, 1 / 2 * a, a * (exp((-b)) - 1 - (-b)) / square(exp((-b)) - 1))
L-FDIV-KL-CHI2: each chi2, each log_ratio_down -> kl_train_infer; mean chi2, sup log_ratio_down -> mean kl_train_infer;
  mean seq_chi2, sup seq_log_ratio_down -> mean seq_kl_train_infer [full]
  = if(b == 0, 1 / 2 * a, a * ((-b) * exp((-b)) - exp((-b)) + 1) / square(exp((-b)) - 1))
L-FDIV-HEL-CHI2: each chi2, each log_ratio_down -> hellinger; mean chi2, sup log_ratio_down -> mean hellinger [full]
  = if(b == 0, 1 / 8 * a, a * (square(exp((-b) / 2) - 1) / 2) / square(exp((-b)) - 1))
L-TV-EST: mean sampled_tv -> mean tv; mean seq_sampled_tv -> mean seq_tv; sup sampled_tv -> sup tv; sup seq_sampled_tv -> sup seq_tv
  [strict] = a
L-TV-MALP: mean sampled_abs_gap -> mean tv; mean seq_sampled_abs_gap -> mean seq_tv = 1 - exp(-a)
L-MALP-K2: mean sampled_k2 -> mean sampled_abs_gap; each sampled_k2 -> sampled_abs_gap [strict] = sqrt(2 * a)
L-DP-TV: each tv -> sampled_prob_gap [concave strict] = a
L-DP-KL: each kl_infer_train -> sampled_binary_kl [concave strict] = a
L-MALP-MULT: mean sampled_mult_error -> mean sampled_abs_gap; each sampled_mult_error -> sampled_abs_gap [strict] = log(max(a, 1))
L-TV-MULT: mean sampled_mult_error -> mean tv [full strict]
  = 1 - (sqrt(square(max(a, 1) - 1) + 4) - (max(a, 1) - 1)) / 2
L-TV-MALP-B-W: mean sampled_abs_gap, sup log_ratio_up, chosen -> mean tv [full]
  = c if 0 <= c and c < 1 and a <= c * if(b == 0, 1, b / (exp(b) - 1)) - log(1 - c)
L-TV-SAMPQ: at sampled_gap -> mean tv; at seq_sampled_gap -> mean seq_tv = (1 - a) * positive(1 - exp(-b)) + a
L-RATIO-TV: mean tv, asked -> quantile ratio; mean seq_tv, asked -> quantile seq_ratio [drawn] = 1 + a / b if 0 < b
L-RATIO-TV-LO: mean tv, asked -> quantile ratio_floor; mean seq_tv, asked -> quantile seq_ratio_floor [drawn]
  = 1 - a / b if 0 < b and a < b
L-RATIO-CHI2: mean chi2, asked -> quantile ratio; mean seq_chi2, asked -> quantile seq_ratio [full drawn]
  = 1 + sqrt(a * (1 - b) / b) if 0 < b
L-RATIO-CHI2-LO: mean chi2, asked -> quantile ratio_floor; mean seq_chi2, asked -> quantile seq_ratio_floor [full drawn]
  = 1 - sqrt(a * (1 - b) / b) if 0 < b and a * (1 - b) < b
L-ESS-OSC: each omega -> ess [full] = 1 / (1 + square(sinh(a / 2)))
L-ESS-LP: each logprob_linf -> ess [full] = 1 / (1 + 4 * square(sinh(a / 2)))
L-ESS-CHI2: each chi2 -> ess; mean chi2 -> mean ess; each seq_chi2 -> seq_ess; mean seq_chi2 -> mean seq_ess = 1 / (1 + a)
L-CH-STALE: stale_steps, step_drift -> sup logit_osc = a * b
L-NET-HEAD: head_norm, hidden_drift -> sup logit_osc [full] = a * b
L-SEQ-TV: sup tv, horizon -> sup seq_tv [strict] = anyOf(a, b)
L-SEQ-TVMEAN: mean tv, horizon -> mean seq_tv [strict] = min(1, a * b)
L-SEQ-LEN: mean tv, mean mean_length -> mean seq_tv [strict] = min(1, a * b)
L-LEN-SEQ: mean seq_tv, horizon -> mean length_drift [strict] = a * (b - 1)
L-LEN-ONE: horizon -> sup least_length = 1
L-LEN-TV: sup tv, horizon -> sup length_drift = b - geometric(1 - a, b)
L-LEN-HEL: sup omega, horizon -> sup length_drift [full] = hellingerSum(a, 1, b - 1)
L-SEQ-HEL: sup omega, horizon -> sup seq_tv [full] = hellingerTv(a, b)
L-SEQ-HEL-H2: sup hellinger, horizon -> sup seq_tv = sqrt(anyOf(a, 2 * b))
L-SEQ-RR: sup logprob_linf, horizon -> sup seq_tv [full] = binomialTv(a, b)
L-SEQ-KL-SUM: sup kl_train_infer, horizon -> sup seq_kl_train_infer; sup kl_infer_train, horizon -> sup seq_kl;
  mean kl_infer_train, horizon -> mean seq_kl; mean kl_infer_train, mean mean_length -> mean seq_kl [strict] = a * b
L-SEQ-CHI2: sup omega, horizon -> sup seq_chi2 [full] = exp(b * log(1 + square(sinh(a / 2)))) - 1
L-SEQ-CHI2-LP: sup logprob_linf, horizon -> sup seq_chi2 [full] = exp(b * log(1 + 4 * square(sinh(a / 2)))) - 1
L-SEQ-CHI2-PROD: sup chi2, horizon -> sup seq_chi2 = pow(1 + a, b) - 1
L-SEQ-LR: sup log_ratio_up, horizon -> sup seq_log_ratio_up; sup log_ratio_down, horizon -> sup seq_log_ratio_down [strict] = a * b
L-SEQ-RATIO: each seq_log_ratio_up -> seq_ratio [strict] = exp(a)
L-SEQ-FLOOR: each seq_log_ratio_down -> seq_ratio_floor [strict] = exp(-a)
L-SEQ-GEO: each seq_geo_ratio, horizon -> seq_sampled_gap [strict] = b * max(0, -log(a)) if 0 < a
L-SEQ-GEO-UP: each seq_geo_ratio_up, horizon -> seq_sampled_rise [strict] = b * log(max(a, 1))
L-SEQ-LRCONC-UP: sup omega, horizon, asked -> quantile seq_log_ratio_up [full] = a * sqrt(b * log(1 / c) / 2) if 0 < c
L-SEQ-LRCONC-TILT: sup omega, horizon, asked -> quantile seq_log_ratio_up [full]
  = if(b * square(a) <= 8 * log(1 / c), a * sqrt(b * log(1 / c) / 2) - b * square(a) / 8, log(1 / c)) if 0 < c
L-SEQ-LRCONC-LO: sup omega, horizon, asked -> quantile seq_log_ratio_down [full]
  = b * largestKl(a) + a * sqrt(b * log(1 / c) / 2) if 0 < c
L-SEQ-VILLE: asked -> quantile seq_log_ratio_up [full] = log(1 / a) if 0 < a
L-SEQ-BAD-UNION: at omega, horizon -> mean seq_tv [full] = min(1, a * c + hellingerTv(b, c))
L-ESS-SEQ: sup omega, horizon -> sup seq_ess [full] = exp(-b * log(1 + square(sinh(a / 2))))
L-R-RANGE: reward_range, each seq_tv -> reward_drift; step_reward_range, each tv -> step_reward_drift [concave strict] = a * b
L-R-KL: reward_sigma, each seq_kl_train_infer -> reward_drift [concave] = a * sqrt(2 * b)
L-R-LIP: reward_lipschitz, horizon, each seq_tv -> reward_drift [concave] = a * b * c
L-R-DISC: step_reward_reach, sup tv, discount -> sup discounted_reward_drift = a * b / ((1 - c) * (1 - c + c * b)) if c < 1
L-R-DISC-T: step_reward_reach, sup tv, discount, horizon -> sup discounted_reward_drift
  = a * (geometric(c, d) - (1 - b) * geometric(c * (1 - b), d))
L-R-DISC-HEL: step_reward_reach, sup omega, discount, horizon -> sup discounted_reward_drift [full] = a * hellingerSum(b, c, d)
L-R-DISC-RETURN: step_reward_reach, discount, horizon, each seq_tv -> discounted_reward_drift [concave] = a * geometric(b, c) * d
L-PG-B: advantage, score_norm -> given gradient = a * b
L-AMAX-POP: group -> given advantage = sqrt(a - 1)
L-PG-STEP: gradient, mean tv, step_plain -> mean pg_bias [strict] = 2 * a * b
L-PG-SEQNAIVE-TV: gradient, sup tv, horizon, causal_plain -> sup pg_bias = 2 * a * (c - (1 - b) * geometric(1 - b, c))
L-PG-SEQNAIVE-HEL: gradient, sup omega, horizon, causal_plain -> sup pg_bias [full] = 2 * a * hellingerSum(b, 1, c)
L-PG-RETURN: gradient, mean seq_tv, horizon, causal_plain|return_plain -> mean pg_bias [strict] = 2 * a * b * c
L-PG-TOK-MEAN: gradient, mean seq_tv, horizon, causal_weighted -> mean pg_prefix [strict] = 2 * a * b * (c - 1)
L-PG-TOK-ONE: horizon, causal_weighted|return_weighted|mean_weighted -> sup pg_prefix = 0 if a <= 1
L-PG-TOK-TV: gradient, sup tv, horizon, causal_weighted -> sup pg_prefix = 2 * a * (c - geometric(1 - b, c))
L-PG-TOK-HEL: gradient, sup omega, horizon, causal_weighted -> sup pg_prefix [full] = 2 * a * hellingerSum(b, 1, c - 1)
L-PG-TOKMC-TV: gradient, sup tv, horizon, return_weighted -> sup pg_prefix = 2 * a * c * anyOf(b, c - 1)
L-PG-TOKMC-HEL: gradient, sup omega, horizon, return_weighted -> sup pg_prefix [full] = 2 * a * c * hellingerTv(b, c - 1)
L-PG-GROUP-SUM: gradient, mean seq_tv, group, horizon, group_plain -> mean pg_bias;
  gradient, mean seq_tv, group, horizon, group_whole -> mean pg_prefix = 2 * a * d * anyOf(b, c)
L-PG-GROUP-HEL: gradient, sup omega, group, horizon, group_plain -> sup pg_bias;
  gradient, sup omega, group, horizon, group_weighted -> sup pg_prefix [full] = 2 * a * d * hellingerTv(b, c * d)
L-PG-GROUP-TOK: gradient, sup tv, group, horizon, group_weighted -> sup pg_prefix = 2 * a * d * anyOf(b, c * d)
L-PG-MEAN: gradient, mean seq_tv, mean_plain -> mean pg_bias [strict] = 2 * a * b
L-PG-MEAN-GROUP: gradient, mean seq_tv, group, group_mean_plain -> mean pg_bias;
  gradient, mean seq_tv, group, group_mean_whole -> mean pg_prefix = 2 * a * anyOf(b, c)
L-PG-MEAN-TOK: gradient, mean seq_tv, sup tv, horizon, mean_weighted -> mean pg_prefix = 2 * a * (b + c * (1 + log(d)))
L-PG-MEAN-TOK-TV: gradient, sup tv, horizon, mean_weighted -> sup pg_prefix [full]
  = 2 * a * b * (c - 1 + 2 * b * (c - 1 - log((c + 1) / 2)))
L-PG-MEAN-GROUP-TOK: gradient, mean seq_tv, sup tv, group, horizon, group_mean_weighted -> mean pg_prefix
  = 2 * a * (anyOf(b, d) + c * (1 + log(e)))
L-PG-MEAN-LOST: gradient, sup excess|masked|clip_loss, horizon, mean_weighted|group_mean_weighted -> sup pg_cut;
  gradient, sup missing_mass, horizon, mean_weighted|group_mean_weighted -> sup pg_support = a * b * (1 + log(c))
L-PG-MEAN-CUT: gradient, mean seq_excess|seq_masked|seq_clip_loss, mean_whole|group_mean_whole -> mean pg_cut = a * b
L-SUP-IS-MEAN: gradient, sup missing_mass, horizon, mean_whole|group_mean_whole -> sup pg_support = a * anyOf(b, c)
L-PG-CUT: gradient, mean excess|masked|clip_loss, step_weighted -> mean pg_cut = a * b
L-PG-CUT-SUM: gradient, mean excess|masked|clip_loss, horizon, causal_weighted|return_weighted|group_weighted -> mean pg_cut;
  gradient, mean seq_excess|seq_masked|seq_clip_loss, horizon, whole_weighted|group_whole -> mean pg_cut = a * b * c
L-HS-CHI2: each chi2, cap -> excess; each seq_chi2, cap -> seq_excess [full concave]
  = if(b < (1 + a) / 2, 1 - b / (1 + a), (sqrt(a + square(b - 1)) - (b - 1)) / 2)
L-PG-MASK-TV: each tv, mask_low, mask_high -> masked; each seq_tv, mask_low, mask_high -> seq_masked [full concave]
  = min(1, a * (c / (c - 1) + b / (1 - b))) if b < 1 and 1 < c
L-PG-MASK-OSC: each omega, mask_low, mask_high -> masked [full]
  = if(a == 0, 0, min(1, (positive(exp(a) - c) + positive(b * exp(a) - 1)) / (exp(a) - 1))) if b < 1 and 1 < c
L-PG-MASK-CHI2: each chi2, mask_low, mask_high -> masked; each seq_chi2, mask_low, mask_high -> seq_masked [full concave]
  = min(1, if(c - 1 <= a, 1, c * a / (a + square(c - 1))) + b * a / (a + square(1 - b))) if b < 1 and 1 < c
L-PG-CLIP-OSC: each omega, clip_width -> clip_loss [full]
  = max(max(2 * tanh(a / 4) - b, hockeyStick(a, 1 + b)), if(b < 1, hockeyStick(a, 1 - b) - b, 0))
L-CLIP-TV: each tv, clip_width -> clip_loss; each seq_tv, clip_width -> seq_clip_loss [full concave] = 2 * a
L-CLIP-CHI2: each chi2, clip_width -> clip_loss; each seq_chi2, clip_width -> seq_clip_loss [full concave]
  = if(a <= 4 * b * b and 0 < b, a / (4 * b), sqrt(a) - b)
L-CLIP-SEQ: sup omega, clip_width, horizon -> sup seq_clip_loss [full]
  = hockeyStick(a * c, 1 + b) + if(b < 1, positive(hockeyStick(a * c, 1 - b) - b), 0)
L-HS-SEQ-MOMENT: sup omega, cap, horizon, chosen -> sup seq_excess [full]
  = exp(logShare(d) - (d - 1) * log(b) + c * logMoment(a, d)) if 1 < d
L-CLIP-SEQ-MOMENT: sup omega, clip_width, horizon, chosen -> sup seq_clip_loss [full]
  = exp(logShare(d) - (d - 1) * log(1 + b) + c * logMoment(a, d))
  + if(b < 1, exp(logShare(d) + d * log(1 - b) + c * logMoment(a, 1 - d)), 0) if 1 < d
L-MASK-SEQ-MOMENT: sup omega, mask_low, mask_high, horizon, chosen -> sup seq_masked [full]
  = min(1, exp((1 - e) * log(c) + d * logMoment(a, e)) + if(b == 0, 0, exp(e * log(b) + d * logMoment(a, 1 - e))))
  if 1 < e and b < 1 and 1 < c
L-CUT-NONE: each largest_ratio, cap -> excess; sup seq_ratio, cap -> sup seq_excess = 0 if a <= b
L-MASK-NONE: each least_ratio, each largest_ratio, mask_low, mask_high -> masked;
  sup seq_ratio_floor, sup seq_ratio, mask_low, mask_high -> sup seq_masked = 0 if c <= a and b <= d
L-CLIP-NONE: each least_ratio, each largest_ratio, clip_width -> clip_loss;
  sup seq_ratio_floor, sup seq_ratio, clip_width -> sup seq_clip_loss = 0 if 1 - c <= a and b <= 1 + c
L-SUP-TV: each @kept omega, each missing_mass -> tv [served] = hockeyStick(a, 1 - b)
L-SUP-TVQ: each @whole omega, cut_mass -> tv [served]
  = if(exp(-a / 2) / sqrt(1 - b) < 1 / (1 + b * (exp(a) - 1)), square(exp(a / 2) / sqrt(1 - b) - 1) / (exp(a) - 1),
  b * exp(a) / (1 + b * (exp(a) - 1))) if b < 1
L-SUP-CUT: each @whole tv, cut_mass -> tv; mean @whole tv, cut_mass -> mean tv [served] = min(1, a + b)
L-SUP-MISS: each @whole tv, each missing_mass -> tv; mean @whole tv, mean missing_mass -> mean tv;
  mean @kept tv, mean missing_mass -> mean tv [served] = min(1, a + b)
L-SUP-KEPT: each @whole omega -> omega; each @unmasked omega -> omega [kept concave] = a
L-SUP-ETA: cut_mass, each @whole omega -> missing_mass [served] = if(a == 0, 0, a / (a + (1 - a) * exp(-b)))
L-SUP-KL: each @kept omega, each missing_mass -> kl_infer_train [served] = largestKl(a) - log(1 - b) if b < 1
L-SUP-IS: gradient, mean missing_mass, step_weighted -> mean pg_support = a * b
L-SUP-IS-SUM: gradient, mean missing_mass, horizon, causal_weighted|return_weighted|group_weighted -> mean pg_support
  = a * b * c
L-SUP-IS-WHOLE: gradient, sup missing_mass, horizon, whole_weighted|group_whole -> sup pg_support = a * c * anyOf(b, c)
L-PG-SUM: mean pg_prefix, mean pg_cut, mean pg_support -> mean pg_bias = a + b + c
L-PG-BATCH: gradient, mean pg_bias, mean length_drift, mean least_length -> mean pg_token_bias = (b + a * c) / d if 0 < d
L-PG-BATCH-TV: gradient, sup tv, horizon, causal_plain|return_plain -> mean pg_token_bias = 2 * a * b * c
L-PG-BATCH-GROUP: gradient, sup tv, group, horizon, group_plain -> mean pg_token_bias = 2 * a * (b * d + anyOf(b, d * (c - 1)))
L-PG-BATCH-TOK: gradient, sup tv, horizon, causal_weighted -> mean pg_token_prefix = 2 * a * b * (c - 1)
L-PG-BATCH-TOKMC: gradient, sup tv, horizon, return_weighted -> mean pg_token_prefix [full]
  = 2 * a * b * (c - 1) * (1 + min(1, 2 * b))
L-PG-BATCH-GROUP-TOK: gradient, sup tv, group, horizon, group_weighted -> mean pg_token_prefix [full]
  = 2 * a * (anyOf(b, d * (c - 1)) + b * (d - 1) * (1 + min(1, 2 * b)))
L-PG-BATCH-WHOLE: gradient, sup tv, horizon, whole_weighted -> mean pg_token_prefix = a * b * (c - 1)
L-PG-BATCH-LOST: gradient, mean excess|masked|clip_loss, causal_weighted|return_weighted|group_weighted -> mean pg_token_cut;
  gradient, mean missing_mass, causal_weighted|return_weighted|group_weighted -> mean pg_token_support = a * b
L-PG-BATCH-CUT-WHOLE: gradient, mean seq_excess|seq_masked|seq_clip_loss, horizon, mean least_length, whole_weighted -> mean pg_token_cut
  = a * b * c / d if 0 < d
L-SUP-IS-BATCH: gradient, sup missing_mass, horizon, mean least_length, whole_weighted -> mean pg_token_support
  = a * anyOf(b, c) * c / d if 0 < d
L-PG-BATCH-SUM: mean pg_token_prefix, mean pg_token_cut, mean pg_token_support -> mean pg_token_bias = a + b + c
L-PG-TRIVIAL: gradient, weight_mean, step_plain|step_weighted|group_step_plain|group_step_weighted|mean_plain|mean_whole|group_mean_plain|group_mean_whole -> sup pg_bias;
  gradient, weight_mean, causal_plain|causal_weighted|return_plain|return_weighted|group_plain|group_weighted -> mean pg_token_bias
  = a * (1 + b)
L-PG-TRIVIAL-SUM: gradient, weight_mean, horizon, causal_plain|causal_weighted|return_plain|return_weighted|whole_weighted|group_plain|group_weighted|group_whole -> sup pg_bias
  = a * c * (1 + b)
L-PG-TRIVIAL-LEN: gradient, weight_mean, mean mean_length, mean length_drift, causal_plain|causal_weighted|return_plain|return_weighted|group_plain|group_weighted -> mean pg_bias
  = a * ((1 + b) * c + d)
L-PG-TRIVIAL-MEAN: gradient, weight_mean, horizon, mean_weighted|group_mean_weighted -> sup pg_bias = a * (1 + b * (1 + log(c)))
L-PG-TRIVIAL-CAP: gradient, weight_cap, mean_weighted|group_mean_weighted -> sup pg_bias;
  gradient, weight_cap, whole_weighted|group_whole -> mean pg_token_bias = a * (1 + b))";

} // namespace

std::string nextRow(std::string_view& table) {
  std::string out(take(table, "\n"));
  while (table.starts_with("  "))
    out += take(table, "\n").substr(1);
  return out;
}

std::string rowOf(std::string_view table, std::string_view name) {
  const std::string head = "\n" + std::string(name) + ": ";
  std::size_t at = table.find(head);
  if (at == std::string_view::npos)
    return {};
  table.remove_prefix(at + head.size());
  return nextRow(table);
}

std::string lemmaRow(std::string_view id) { return rowOf(lemmaRows, id); }

std::string functionRow(std::string_view name) { return rowOf(functionRows, name); }

std::string kindOf(std::string_view quantity) {
  for (std::string_view rest = quantityRows; !rest.empty();) {
    std::string row = nextRow(rest);
    std::string_view names = row, kind = take(names, ": ");
    if (isOneOf(names, quantity))
      return std::string(kind);
  }
  return {};
}

bool isLower(std::string_view quantity) { return isOneOf(kindOf(quantity), "below"); }

} // namespace verify
