#pragma once

#include "tikc/cuda/row_passes.h"

/// Converts sums over tokens to the statistics of a row.
namespace tikc::cuda::detail {

/// Pairs of rows in device memory, with one format per side. Strides are in elements.
struct row_batch {
  const void *train, *infer;
  std::size_t train_stride, infer_stride;
  std::uint32_t rows, vocabulary;
  double train_temperature = 1, infer_temperature = 1;
  const std::int64_t* sampled = nullptr; // a token per row, or −1
  mask_rule masks = mask_rule::strict;

  TIKC_ON_BOTH bool is_alike() const { return train_temperature == infer_temperature; }
  TIKC_ON_BOTH std::int64_t sampled_of(std::uint32_t row) const {
    return sampled == nullptr ? -1 : sampled[row];
  }
  template <number_format Train, number_format Infer>
  TIKC_ON_BOTH pair_rows<Train, Infer> pair(std::uint32_t row) const {
    return {static_cast<const unsigned char*>(train) + row * train_stride * bytes_of_format<Train>,
            static_cast<const unsigned char*>(infer) + row * infer_stride * bytes_of_format<Infer>,
            vocabulary};
  }

private:
  template <number_format Format> static constexpr std::size_t bytes_of_format = bytes_of(Format);
};

/// The results of the passes over some tokens of a row: first sums, then maxima.
namespace sums {
enum index : unsigned {
  // From the first pass.
  sine,
  cosine,
  level,
  squares,
  // From the second pass.
  distance,
  excess,
  entropy,
  second,
  third,
  fourth,
  fifth,
  far_entropy,
  far_forward,
  far_backward,
  far_hellinger,
  far_js,
  far_chi2,
  train_leaders, // the number of tokens with the largest logit
  infer_leaders,
  added, // the number of sums
  // Maxima.
  minus_low = added,
  high,
  train_first,
  infer_first,
  relative,
  train_second, // among tokens below the largest
  infer_second,
  minus_train_top, // the negated index of the first token with the largest logit
  minus_infer_top,
  count
};
} // namespace sums

struct row_sums {
  double values[sums::count];

  TIKC_ON_BOTH static double none(unsigned index) {
    return index < sums::added ? 0 : -rows::unbounded;
  }
  TIKC_ON_BOTH static double joined(unsigned index, double a, double b) {
    return index < sums::added ? a + b : (a < b ? b : a);
  }
  TIKC_ON_BOTH double operator[](sums::index index) const { return values[index]; }
};

TIKC_ON_BOTH inline weighing_frame frame_of(const row_batch& batch) {
  weighing_frame out;
  out.scale = static_cast<float>(1 / batch.train_temperature);
  out.log2_scale = static_cast<float>(1.4426950408889634 / batch.train_temperature);
  return out;
}

/// The results of the first pass.
struct first_results {
  double sine, cosine, level;
  float low, high;
};

/// Returns the second pass's frame. Its centre includes the row's shift. Weights are near 1 where
/// the probabilities are, so that entropies are sums of small terms.
template <std::uint32_t Wants>
TIKC_ON_BOTH comparing_frame comparing_frame_of(const weighing_frame& frame,
                                                const first_results& first) {
  const double train = (first.cosine - first.sine) / 2, infer = (first.cosine + first.sine) / 2;
  const float relative = static_cast<float>(first.sine / train);
  const float shift =
      std::fabs(relative) < 0.5F ? log1pf(relative) : logf(static_cast<float>(infer / train));
  comparing_frame out{frame.scale, frame.log2_scale, frame.offset, frame.centre + shift};
  if constexpr ((Wants & row_want::entropy_gap) != 0)
    out.offset += static_cast<float>(2 * first.level / first.cosine) - shift * (log2_e / 2);
  return out;
}

/// Returns whether every token's y is within the smallest series.
TIKC_ON_BOTH inline bool is_near(const comparing_frame& frame, const first_results& first) {
  constexpr float reach = series<rows::drift_tier::small>::reach;
  return first.low * frame.scale - frame.centre >= -reach &&
         first.high * frame.scale - frame.centre <= reach;
}

/// A row's sums, with the frames that they are relative to.
struct row_result {
  row_sums sums;
  double first_offset, first_centre, offset, centre;
};

template <number_format Train, number_format Infer, std::uint32_t Wants> class row_finish {
public:
  TIKC_ON_BOTH row_finish(const row_batch& batch, std::uint32_t row, const row_result& result)
      : of_(batch.pair<Train, Infer>(row)), sums_(result.sums), result_(result),
        scale_(1 / batch.train_temperature),
        fp32_scale_(static_cast<double>(frame_of(batch).scale)),
        log2_scale_(static_cast<double>(frame_of(batch).log2_scale)),
        sampled_(batch.sampled_of(row)) {
    train_ = (sums_[sums::cosine] - sums_[sums::sine]) / 2;
    infer_ = (sums_[sums::cosine] + sums_[sums::sine]) / 2;
    const double relative = sums_[sums::sine] / train_;
    shift_ = std::fabs(relative) < 0.5 ? log1p(relative) : log(infer_ / train_);
    unit_ = exp2(result_.offset - result_.first_offset) / train_;
    if constexpr ((Wants & rows::row_compared) != 0)
      find_top();
  }

  /// Reports the statistics. Returns false, without reporting, if fp32 was not enough for the row.
  TIKC_ON_BOTH bool report(row_stats& out) const {
    if constexpr ((Wants & rows::row_weighed) != 0)
      // If the sums differ greatly, the smaller one has few digits in their sum and difference.
      if (!(train_ > infer_ / 64 && infer_ > train_ / 64 && train_ < rows::unbounded))
        return false;
    if (!(high() < rows::unbounded && low() > -rows::unbounded))
      return false;
    if constexpr ((Wants & rows::row_compared) != 0)
      if (!is_sharp())
        return false;
    if constexpr ((Wants & row_want::entropy_gap) != 0)
      if (!is_entropy_sharp())
        return false;
    out = row_stats();
    report_logits(out);
    if constexpr ((Wants & rows::row_compared) != 0)
      report_divergences(out);
    report_sampled(out);
    return true;
  }

private:
  TIKC_ON_BOTH double low() const { return -sums_[sums::minus_low]; }
  TIKC_ON_BOTH double high() const { return sums_[sums::high]; }
  TIKC_ON_BOTH double centre() const { return result_.first_centre + shift_; }
  TIKC_ON_BOTH static double smaller(double a, double b) { return b < a ? b : a; }
  TIKC_ON_BOTH static double larger(double a, double b) { return a < b ? b : a; }

  TIKC_ON_BOTH double moments(double second, double third, double fourth) const {
    return second * sums_[sums::second] + third * sums_[sums::third] + fourth * sums_[sums::fourth];
  }
  TIKC_ON_BOTH double forward() const {
    using taylor = rows::row_series<rows::drift_tier::small>;
    constexpr double second = taylor::kl[0], third = taylor::kl[1], fourth = taylor::kl[2];
    return unit_ * (moments(second, third, fourth) + sums_[sums::far_forward]);
  }

  /// Finds the trainer's most likely token. The sums lack only the last digits of its weight. If it
  /// has nearly all the mass, the mass of the other tokens determines it.
  TIKC_ON_BOTH void find_top() {
    const auto token = static_cast<long long>(-sums_[sums::minus_train_top]);
    if (!of_.has(static_cast<int>(token)))
      return;
    const double z = static_cast<double>(of_.train_at(token));
    const double y = (static_cast<double>(of_.infer_at(token)) - z) * fp32_scale_ - result_.centre;
    const double log = z * log2_scale_ - result_.first_offset;
    top_level_ = y * static_cast<double>(log2_e / 2) + z * log2_scale_ - result_.offset;
    top_gain_ = 2 * exp2(top_level_) * sinh(y / 2);
    rest_ = larger(1 - exp2(log) / train_, 3e-5);
  }

  /// Returns whether the rounding of the centre, which is in every y, is negligible. √(2 KL / rest)
  /// is the size of a drift.
  TIKC_ON_BOTH bool is_sharp() const {
    const double rounding =
        0x1p-24 * larger(std::fabs(result_.centre), std::fabs(result_.first_centre));
    const double size = 2 * forward() / rest_;
    return size >= 0 && size < rows::unbounded && rounding <= 1e-5 * sqrt(size);
  }

  TIKC_ON_BOTH double margin(sums::index first, sums::index second, sums::index leaders) const {
    return sums_[leaders] > 1 ? 0 : sums_[first] - sums_[second];
  }

  TIKC_ON_BOTH void report_logits(row_stats& out) const {
    using namespace rows;
    if constexpr ((Wants & row_want::top1_flip) != 0)
      out.top1_flip = sums_[sums::minus_train_top] == sums_[sums::minus_infer_top] ? 0 : 1;
    rows::report<Wants, row_ranged>(
        out, figure_value<figure::logit_linf>{larger(std::fabs(low()), std::fabs(high()))},
        figure_value<figure::logit_osc>{high() - low()});
    rows::report<Wants, row_raw & ~row_ranged>(
        out, figure_value<figure::logit_l2>{sqrt(sums_[sums::squares])},
        figure_value<figure::logit_rel>{sums_[sums::relative]},
        figure_value<figure::top1_margin>{
            smaller(margin(sums::train_first, sums::train_second, sums::train_leaders),
                    margin(sums::infer_first, sums::infer_second, sums::infer_leaders))});
    rows::report<Wants, wants_of(row_pass::weighed)>(
        out, figure_value<figure::logprob_linf>{larger(std::fabs(low() * scale_ - centre()),
                                                       std::fabs(high() * scale_ - centre()))});
  }

  /// Returns Σ |q − p|. The term of the most likely token is the sum of the others' gains.
  TIKC_ON_BOTH double distance() const {
    return (sums_[sums::distance] - std::fabs(top_gain_)) +
           std::fabs(sums_[sums::excess] - top_gain_);
  }
  /// Returns H(p) − H(q). The rounding error of Σ (q − p), from the centre or from one token, is
  /// small, as levels are relative to approximately their mean. If one token has nearly all the
  /// mass, the mean is its level, and far drifts may have moved it.
  TIKC_ON_BOTH double entropy() const {
    using taylor = rows::row_series<rows::drift_tier::small>;
    constexpr double log_2 = 0.6931471805599453, third = taylor::entropy[1];
    const double mean = rest_ < 1.0 / 16 ? top_level_ : 0;
    return (sums_[sums::entropy] - sums_[sums::excess] * mean) * log_2 +
           third * sums_[sums::third] + sums_[sums::far_entropy];
  }
  /// Returns whether the entropy gap exceeds the rounding errors of its terms, which are as large
  /// as the total variation.
  TIKC_ON_BOTH bool is_entropy_sharp() const {
    const double tv = unit_ * distance() / 2;
    return tv * (1e-6 + 8e-6 * tv) <= 1e-7 + 1e-4 * std::fabs(unit_ * entropy());
  }

  TIKC_ON_BOTH void report_divergences(row_stats& out) const {
    using namespace rows;
    using taylor = row_series<drift_tier::small>;
    constexpr double kl[] = {taylor::kl[0], taylor::kl[1], taylor::kl[2]};
    constexpr double even[] = {taylor::hellinger[0], taylor::hellinger[2], taylor::js[0],
                               taylor::js[2]};
    constexpr double chi2[] = {taylor::chi2[0], taylor::chi2[1], taylor::chi2[2], taylor::chi2[3]};
    auto within = [](double value, double most) { return smaller(larger(value, 0), most); };
    rows::report<Wants, row_compared>(
        out, figure_value<figure::tv>{within(unit_ * distance() / 2, 1)},
        figure_value<figure::hellinger>{
            within(unit_ * (moments(even[0], 0, even[1]) + sums_[sums::far_hellinger]), 1)},
        figure_value<figure::js>{
            within(unit_ * (moments(even[2], 0, even[3]) + sums_[sums::far_js]), most_js)},
        figure_value<figure::kl_train_infer>{within(forward(), unbounded)},
        figure_value<figure::kl_infer_train>{
            within(unit_ * (moments(kl[0], -kl[1], kl[2]) + sums_[sums::far_backward]), unbounded)},
        figure_value<figure::chi2>{
            within(unit_ * (moments(chi2[0], chi2[1], chi2[2]) + chi2[3] * sums_[sums::fifth] +
                            sums_[sums::far_chi2]),
                   unbounded)},
        figure_value<figure::entropy_gap>{std::fabs(unit_ * entropy())},
        figure_value<figure::missing_mass>{0});
  }

  TIKC_ON_BOTH void report_sampled(row_stats& out) const {
    if constexpr ((Wants & row_want::sampled_logprobs) != 0) {
      if (sampled_ < 0)
        return;
      const double z = static_cast<double>(of_.train_at(sampled_)),
                   w = static_cast<double>(of_.infer_at(sampled_));
      if (z == -rows::unbounded) {
        out.train_logprob = out.infer_logprob = -rows::unbounded;
        return;
      }
      const double level = (z * log2_scale_ - result_.first_offset) * 0.6931471805599453;
      out.train_logprob = level - log(train_);
      out.infer_logprob = level + ((w - z) * scale_ - result_.first_centre) - log(infer_);
    }
  }

  pair_rows<Train, Infer> of_;
  const row_sums& sums_;
  const row_result& result_;
  double scale_, fp32_scale_, log2_scale_, train_ = 0, infer_ = 0, shift_ = 0, unit_ = 0;
  double top_gain_ = 0, top_level_ = 0, rest_ = 1; // of the most likely token
  std::int64_t sampled_;
};

} // namespace tikc::cuda::detail
