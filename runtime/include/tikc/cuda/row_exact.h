#pragma once

#include "tikc/cuda/row_finish.h"

/// Rows that need more than fp32, in double: any finite logits, masks of one side, faults, and
/// temperatures that differ or are 0. It implements the definitions, with one loop each.
namespace tikc::cuda::detail {

/// `Block` runs a function over all tokens of a row, and gives each of its threads the sums or
/// maxima of the results.
template <class Block, number_format Train, number_format Infer, std::uint32_t Wants>
class exact_row {
public:
  TIKC_ON_BOTH exact_row(Block& block, const row_batch& batch, std::uint32_t row)
      : block_(block), of_(batch.pair<Train, Infer>(row)),
        masks_(batch.masks), train_{batch.train_temperature}, infer_{batch.infer_temperature},
        sampled_(batch.sampled_of(row)) {}

  TIKC_ON_BOTH row_stats run() {
    row_stats out;
    find_faults();
    const bool is_lone = !(train_.peak > -rows::unbounded && infer_.peak > -rows::unbounded);
    const double allowed = masks_ == mask_rule::lenient ? train_only_ : 0;
    out.nonfinite = larger(nonfinite_ - allowed, is_lone ? 1 : 0);
    if (spoilt_ != 0 || is_lone) {
      rows::spoil<Wants>(out);
      return out;
    }
    find_tops();
    const bool breaks = infer_only_ != 0 || (masks_ == mask_rule::strict && train_only_ != 0);
    report_logits(out, breaks);
    if constexpr ((Wants & rows::row_weighed) != 0) {
      if (!is_usable(train_) || !is_usable(infer_) || !weigh(train_, true) || !weigh(infer_, false))
        rows::spoil<Wants & rows::row_weighed>(out);
      else if (train_.temperature == 0 || infer_.temperature == 0)
        report_greedy(out);
      else
        report_laws(out, breaks);
    }
    return out;
  }

private:
  /// The distribution of one side. At temperature 0 it is its most likely token.
  struct side {
    double temperature;
    double peak = 0, top = 0; // the largest logit, and the first token with it
    double leaders = 0, second = 0;
    double log_total = 0; // of weights e^((z − peak)/temperature)
  };

  TIKC_ON_BOTH static double larger(double a, double b) { return a < b ? b : a; }
  TIKC_ON_BOTH static double smaller(double a, double b) { return b < a ? b : a; }
  TIKC_ON_BOTH static bool is_finite(double a) {
    return a > -rows::unbounded && a < rows::unbounded;
  }
  TIKC_ON_BOTH double train_at(int token) const { return static_cast<double>(of_.train_at(token)); }
  TIKC_ON_BOTH double infer_at(int token) const { return static_cast<double>(of_.infer_at(token)); }

  /// Reduces values: first sums, then maxima.
  template <unsigned Added, unsigned All, class Visit>
  TIKC_ON_BOTH void each(double (&out)[All], Visit visit) {
    block_.template each<Added>(of_.vocabulary, out, visit);
  }

  TIKC_ON_BOTH void find_faults() {
    double out[6];
    each<4>(out, [this](int token, double(&found)[6]) {
      const double z = train_at(token), w = infer_at(token);
      const bool train_masked = z == -rows::unbounded, infer_masked = w == -rows::unbounded;
      const double bad =
          (is_finite(z) || train_masked ? 0 : 1) + (is_finite(w) || infer_masked ? 0 : 1);
      found[0] += bad;
      found[1] += bad + (train_masked != infer_masked ? 1 : 0);
      found[2] += is_finite(z) && infer_masked ? 1 : 0;
      found[3] += train_masked && is_finite(w) ? 1 : 0;
      found[4] = larger(found[4], is_finite(z) ? z : -rows::unbounded);
      found[5] = larger(found[5], is_finite(w) ? w : -rows::unbounded);
    });
    spoilt_ = out[0];
    nonfinite_ = out[1];
    train_only_ = out[2];
    infer_only_ = out[3];
    train_.peak = out[4];
    infer_.peak = out[5];
  }

  TIKC_ON_BOTH void find_tops() {
    double out[6];
    each<2>(out, [this](int token, double(&found)[6]) {
      const double z = train_at(token), w = infer_at(token);
      if (z == train_.peak) {
        found[0] += 1;
        found[2] = larger(found[2], -token);
      } else {
        found[4] = larger(found[4], z);
      }
      if (w == infer_.peak) {
        found[1] += 1;
        found[3] = larger(found[3], -token);
      } else {
        found[5] = larger(found[5], w);
      }
    });
    train_.leaders = out[0];
    infer_.leaders = out[1];
    train_.top = -out[2];
    infer_.top = -out[3];
    train_.second = out[0] > 1 ? train_.peak : out[4];
    infer_.second = out[1] > 1 ? infer_.peak : out[5];
  }

  /// An exact difference a − b: `low` is the rounding error of `high`.
  struct exact_difference {
    double high, low;
  };
  TIKC_ON_BOTH static exact_difference difference(double a, double b) {
    const double high = a - b, took = high - a;
    return {high, (a - (high - took)) - (b + took)};
  }
  /// Returns (z′ − infer.peak) − (z − train.peak), however far apart the rows are.
  TIKC_ON_BOTH double gap_at(int token) const {
    const exact_difference gap = difference(infer_at(token), train_at(token)),
                           apart = difference(infer_.peak, train_.peak);
    return (gap.high - apart.high) + (gap.low - apart.low);
  }
  TIKC_ON_BOTH bool is_alive(int token) const {
    return is_finite(train_at(token)) && is_finite(infer_at(token));
  }

  TIKC_ON_BOTH void report_logits(row_stats& out, bool breaks) {
    using namespace rows;
    if constexpr ((Wants & row_want::top1_flip) != 0)
      out.top1_flip = train_.top == infer_.top ? 0 : 1;
    if (breaks) {
      spoil<Wants & row_raw>(out);
      return;
    }
    if constexpr ((Wants & row_raw) != 0) {
      double found_[5];
      each<1>(found_, [this](int token, double(&found)[5]) {
        if (!is_alive(token))
          return;
        const double z = train_at(token), drift = infer_at(token) - z, gap = gap_at(token);
        found[0] += drift * drift;
        found[1] = larger(found[1], std::fabs(drift));
        found[2] = larger(found[2], -gap);
        found[3] = larger(found[3], gap);
        found[4] = larger(found[4], std::fabs(drift) / larger(std::fabs(z), 1));
      });
      rows::report<Wants, row_raw>(
          out, figure_value<figure::logit_linf>{larger(found_[1], 0)},
          figure_value<figure::logit_osc>{larger(found_[2] + found_[3], 0)},
          figure_value<figure::logit_l2>{sqrt(found_[0])},
          figure_value<figure::logit_rel>{larger(found_[4], 0)},
          figure_value<figure::top1_margin>{
              smaller(train_.peak - train_.second, infer_.peak - infer_.second)});
    }
  }

  TIKC_ON_BOTH static bool is_usable(const side& row_side) {
    return row_side.temperature == 0 ? row_side.leaders == 1
                                     : row_side.temperature >= rows::least_temperature &&
                                           row_side.temperature <= rows::most_temperature;
  }

  TIKC_ON_BOTH double level_at(const side& row_side, bool is_train, int token) const {
    return ((is_train ? train_at(token) : infer_at(token)) - row_side.peak) / row_side.temperature;
  }
  TIKC_ON_BOTH bool weigh(side& row_side, bool is_train) {
    if (row_side.temperature == 0)
      return true;
    double total[1];
    each<1>(total, [&, this](int token, double(&found)[1]) {
      found[0] += exp(level_at(row_side, is_train, token));
    });
    row_side.log_total = log(total[0]);
    return total[0] > 0;
  }
  TIKC_ON_BOTH double logprob_at(const side& row_side, bool is_train, int token) const {
    if (row_side.temperature == 0)
      return row_side.top == token ? 0 : -rows::unbounded;
    return level_at(row_side, is_train, token) - row_side.log_total;
  }
  /// Returns log q − log p of a token that neither side masks.
  TIKC_ON_BOTH double drift_at(int token) const {
    if (train_.temperature == infer_.temperature)
      return gap_at(token) / train_.temperature - (infer_.log_total - train_.log_total);
    return logprob_at(infer_, false, token) - logprob_at(train_, true, token);
  }

  enum divergence : unsigned {
    tv,
    hellinger,
    forward,
    backward,
    js,
    chi2,
    entropy,
    missing,
    reach
  };

  /// Adds a token's term of each divergence.
  TIKC_ON_BOTH void add(int token, double (&to)[reach + 1]) const {
    const double z = train_at(token), w = infer_at(token);
    const double log_p = logprob_at(train_, true, token), log_q = logprob_at(infer_, false, token);
    if (z == -rows::unbounded && w == -rows::unbounded)
      return;
    const double p = exp(log_p), q = exp(log_q);
    to[tv] += std::fabs(q - p) / 2;
    to[entropy] += (q > 0 ? q * log_q : 0) - (p > 0 ? p * log_p : 0);
    if (z == -rows::unbounded || w == -rows::unbounded) {
      to[hellinger] += (p + q) / 2;
      to[js] += (p + q) * rows::most_js / 2;
      to[forward] += w == -rows::unbounded ? rows::unbounded : q;
      to[backward] += z == -rows::unbounded ? rows::unbounded : p;
      to[chi2] += w == -rows::unbounded ? rows::unbounded : q;
      to[missing] += w == -rows::unbounded ? p : 0;
      return;
    }
    const double y = drift_at(token), root = exp(log_p / 2) - exp(log_q / 2);
    to[reach] = larger(to[reach], std::fabs(y));
    if (std::fabs(y) < 1) {
      const double gain = p * expm1(y), half = expm1(y / 2);
      to[tv] += (std::fabs(gain) - std::fabs(q - p)) / 2; // q − p has lost the digits
      to[hellinger] += p * half * half / 2;
      to[forward] += p * (expm1(y) - y);
      to[backward] += q * (expm1(-y) + y);
      to[js] -= (p * log1p(expm1(y) / 2) + q * log1p(expm1(-y) / 2)) / 2;
      to[chi2] += exp(log_p - y) * expm1(y) * expm1(y);
      return;
    }
    to[hellinger] += root * root / 2;
    to[forward] += q - p - (p > 0 ? p * y : 0);
    to[backward] += p - q + (q > 0 ? q * y : 0);
    const double log_sum = log1p(exp(-std::fabs(y))), small = y < 0 ? q : p;
    to[js] += ((p + q) * (rows::most_js - log_sum) - (small > 0 ? small * std::fabs(y) : 0)) / 2;
    to[chi2] += exp(log_p - y) - 2 * p + q;
  }

  TIKC_ON_BOTH void report_laws(row_stats& out, bool breaks) {
    using namespace rows;
    double sum[reach + 1];
    each<reach>(sum, [this](int token, double(&to)[reach + 1]) { add(token, to); });
    auto within = [](double value, double most) { return smaller(larger(value, 0), most); };
    rows::report<Wants, row_weighed & ~row_want::sampled_logprobs>(
        out, figure_value<figure::logprob_linf>{breaks ? unbounded : larger(sum[reach], 0)},
        figure_value<figure::tv>{within(sum[tv], 1)},
        figure_value<figure::hellinger>{within(sum[hellinger], 1)},
        figure_value<figure::js>{within(sum[js], most_js)},
        figure_value<figure::kl_train_infer>{within(sum[forward], unbounded)},
        figure_value<figure::kl_infer_train>{within(sum[backward], unbounded)},
        figure_value<figure::chi2>{within(sum[chi2], unbounded)},
        figure_value<figure::entropy_gap>{std::fabs(sum[entropy])},
        figure_value<figure::missing_mass>{within(sum[missing], 1)});
    report_sampled(out);
  }

  TIKC_ON_BOTH void report_sampled(row_stats& out) const {
    if constexpr ((Wants & row_want::sampled_logprobs) != 0)
      if (sampled_ >= 0) {
        out.train_logprob = logprob_at(train_, true, static_cast<int>(sampled_));
        out.infer_logprob = logprob_at(infer_, false, static_cast<int>(sampled_));
      }
  }

  TIKC_ON_BOTH void report_greedy(row_stats& out) {
    if (train_.temperature == 0 && infer_.temperature == 0)
      report_points(out, train_.top == infer_.top ? 0 : 1);
    else if (train_.temperature == 0)
      report_point(out, train_, infer_, true);
    else
      report_point(out, infer_, train_, false);
    report_sampled(out);
  }

  static constexpr std::uint32_t of_laws = rows::row_weighed & ~row_want::sampled_logprobs;

  TIKC_ON_BOTH void report_points(row_stats& out, double apart) const {
    using namespace rows;
    const double ratio = apart == 0 ? 0 : unbounded;
    rows::report<Wants, of_laws>(
        out, figure_value<figure::tv>{apart}, figure_value<figure::hellinger>{apart},
        figure_value<figure::js>{apart * most_js}, figure_value<figure::missing_mass>{apart},
        figure_value<figure::kl_train_infer>{ratio}, figure_value<figure::kl_infer_train>{ratio},
        figure_value<figure::chi2>{ratio}, figure_value<figure::logprob_linf>{ratio},
        figure_value<figure::entropy_gap>{0});
  }

  /// Compares one token with a softmax, in either direction.
  TIKC_ON_BOTH void report_point(row_stats& out, const side& point, const side& soft,
                                 bool train_is_point) {
    using namespace rows;
    const int top = static_cast<int>(point.top);
    double sum[3]; // over the other tokens: probability, entropy, number
    each<3>(sum, [&, this](int token, double(&to)[3]) {
      const double log = logprob_at(soft, !train_is_point, token);
      if (token == top || log == -unbounded)
        return;
      const double mass = exp(log);
      to[0] += mass;
      to[1] -= mass > 0 ? mass * log : 0;
      to[2] += 1;
    });
    const double rest = sum[0], q = exp(logprob_at(soft, !train_is_point, top));
    // The softmax's log-prob of the token, precise even if the token is nearly certain.
    const double log_q = rest < 0.5 ? log1p(-rest) : logprob_at(soft, !train_is_point, top);
    const bool alone = sum[2] == 0;
    const double stray = alone ? 0 : unbounded, missed = 0 - log_q;
    const double halves = q > 0 ? q * log(2 * q / (1 + q)) : 0;
    const double apart = (log(2 / (1 + q)) + halves + rest * most_js) / 2;
    rows::report<Wants, of_laws>(
        out, figure_value<figure::tv>{rest}, figure_value<figure::hellinger>{rest / (1 + sqrt(q))},
        figure_value<figure::js>{smaller(larger(apart, 0), most_js)},
        figure_value<figure::kl_train_infer>{train_is_point ? missed : stray},
        figure_value<figure::kl_infer_train>{train_is_point ? stray : missed},
        figure_value<figure::chi2>{train_is_point ? (q > 0 ? rest / q : unbounded) : stray},
        figure_value<figure::logprob_linf>{alone ? missed : unbounded},
        figure_value<figure::entropy_gap>{sum[1] + (q > 0 ? q * missed : 0)},
        figure_value<figure::missing_mass>{!train_is_point ? rest : (missed < unbounded ? 0 : 1)});
  }

  Block& block_;
  pair_rows<Train, Infer> of_;
  mask_rule masks_;
  side train_, infer_;
  std::int64_t sampled_;
  double spoilt_ = 0, nonfinite_ = 0, train_only_ = 0, infer_only_ = 0;
};

} // namespace tikc::cuda::detail
