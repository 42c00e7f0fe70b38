#pragma once

#include "tikc/detail/row_frame.h"
#include "tikc/detail/row_statistics.h"

#include <functional>

namespace tikc::detail::rows {

/// Weights of the trainer's tokens, by where the inference's logits are.
struct cut_sums {
  double whole = 0, below = 0, tied = 0; // all, those below a boundary, those at it
  float least_tied = infinity;
  std::size_t ties = 0;

  void add(const cut_sums& more) {
    whole += more.whole;
    below += more.below;
    tied += more.tied;
    least_tied = std::min(least_tied, more.least_tied);
    ties += more.ties;
  }
};

/// Computes the trainer's mass on tokens that the inference masks or cuts. Cuts keep the tokens
/// with the largest logits, so this finds the last kept logit. It searches bins of equal width,
/// then the bin that contains the logit, until one logit is left.
///
/// Where engines may differ, it reports the larger mass. top_k and min_p apply before top_p. top_p
/// is lowered by the possible error of sums in fp32. Of tokens that share the last logit, those
/// with the least trainer mass are kept.
template <class Kernels> class cut_row {
public:
  cut_row(row_view train, row_view infer, std::size_t vocabulary, double train_temperature,
          double infer_temperature, const row_cut& cut, float* scratch)
      : train_(train), infer_(infer), vocabulary_(vocabulary), cut_(cut), gathered_(scratch),
        infer_temperature_(infer_temperature), infer_scale_(1 / infer_temperature),
        // At 0, only the largest weight is positive: floats are not close enough for another.
        train_scale_(train_temperature == 0 ? 1e200 : 1 / train_temperature) {
    for (std::size_t i = 0; i < row_padding; ++i) {
      last_train_[i] = whole() + i < vocabulary ? value_at(train, whole() + i) : -infinity;
      last_infer_[i] = whole() + i < vocabulary ? value_at(infer, whole() + i) : -infinity;
    }
  }

  double missing() {
    find_peaks();
    boundary last{std::max(floor(), lowest), vocabulary_};
    if (cut_.top_k != 0)
      last = first_of(cut_.top_k, last);
    if (cut_.top_p < 1)
      last = nucleus_of(last);
    return mass_without(last);
  }

private:
  /// The last kept logit, and the largest number of tokens with it that are kept.
  struct boundary {
    float at;
    std::size_t kept;
  };

  static constexpr double slack = 0x1p-20;
  static constexpr std::size_t bins = 1024;
  static constexpr float lowest = std::numeric_limits<float>::lowest();

  std::size_t whole() const { return vocabulary_ / row_padding * row_padding; }

  /// Visits the blocks. The last tokens are their own block, padded with masks.
  template <class Visit> void each_block(Visit visit) const {
    for (std::size_t i = 0; i < whole(); i += row_block_tokens)
      visit(skip(train_, i), skip(infer_, i), std::min(row_block_tokens, whole() - i));
    if (whole() != vocabulary_)
      visit({last_train_, number_format::fp32}, {last_infer_, number_format::fp32}, row_padding);
  }

  void find_peaks() {
    each_block([this](row_view train, row_view infer, std::size_t tokens) {
      float peaks[row_padding];
      for (std::size_t i = Kernels::peaks(train, tokens, peaks); i-- > 0;)
        train_peak_ = std::max(train_peak_, peaks[i]);
      count_ += Kernels::peaks(infer, tokens, gathered_ + count_);
    });
    infer_peak_ = *std::max_element(gathered_, gathered_ + count_);
  }

  /// Returns a lower bound of the last kept logit. The peaks are those of parts of the row, so at
  /// least k tokens reach the k-th peak.
  float floor() {
    float out = -infinity;
    if (cut_.min_p > 0)
      out = above(std::log(cut_.min_p) + slack);
    if (cut_.top_k != 0 && cut_.top_k <= count_) {
      float* const last = gathered_ + (cut_.top_k - 1);
      std::nth_element(gathered_, last, gathered_ + count_, std::greater<>());
      out = std::max(out, *last);
    }
    return out;
  }

  /// Returns the least logit whose distance from the peak, as a log, is at most `fall`. The peak
  /// always qualifies.
  float above(double fall) const {
    const double exact =
        std::max(static_cast<double>(infer_peak_) + std::min(fall, 0.0) * infer_temperature_,
                 static_cast<double>(lowest));
    const auto out = static_cast<float>(exact);
    return static_cast<double>(out) < exact ? std::nextafter(out, infinity) : out;
  }

  boundary first_of(std::size_t tokens, boundary all) {
    gather(all.at);
    if (count_ <= tokens)
      return all;
    const double before = descend<false>(static_cast<double>(tokens));
    return {gathered_[0], tokens - static_cast<std::size_t>(before)};
  }

  boundary nucleus_of(boundary all) {
    const double share = cut_.top_p - slack;
    double total = 0;
    if (all.at == lowest) {
      each_block([&](row_view, row_view infer, std::size_t tokens) {
        total += Kernels::sums_of(infer, infer, tokens, infer_peak_, infer_scale_, lowest).whole;
      });
      // All tokens below it may be cut together.
      gather(above(std::log((1 - share) * total / static_cast<double>(vocabulary_))));
    } else {
      gather(all.at);
      std::size_t ties = 0;
      each_weight([&](float logit, float weight) {
        if (logit != all.at || ++ties <= all.kept)
          total += static_cast<double>(weight);
      });
    }
    const double enough = share * total, missed = enough - descend<true>(enough);
    const float at = gathered_[0];
    const double each =
        std::exp((static_cast<double>(at) - static_cast<double>(infer_peak_)) * infer_scale_);
    const auto most = static_cast<double>(at == all.at ? std::min(all.kept, count_) : count_);
    return {at, static_cast<std::size_t>(std::min(std::max(std::ceil(missed / each), 1.0), most))};
  }

  void gather(float least) {
    count_ = 0;
    each_block([&](row_view, row_view infer, std::size_t tokens) {
      count_ += Kernels::gather(infer, tokens, least, gathered_ + count_);
    });
    fill_up();
  }

  /// Pads to whole vectors with masks.
  void fill_up() {
    for (std::size_t i = count_; i % row_padding != 0; ++i)
      gathered_[i] = -infinity;
  }

  /// Visits each gathered logit with its weight.
  template <class Visit> void each_weight(Visit visit) const {
    constexpr std::size_t step = 256;
    float weights[step];
    for (std::size_t i = 0; i < count_; i += step) {
      const std::size_t tokens = std::min(step, count_ - i);
      Kernels::weigh(gathered_ + i, tokens, infer_peak_, infer_scale_, weights);
      for (std::size_t j = 0; j < tokens; ++j)
        visit(gathered_[i + j], weights[j]);
    }
  }

  /// Reduces the gathered tokens to those with the logit at which the count, or the mass, reaches
  /// `enough`. Returns the amount above them.
  template <bool ByMass> double descend(double enough) {
    double before = 0;
    for (;;) {
      const auto [bottom, top] = std::minmax_element(gathered_, gathered_ + count_);
      if (*bottom == *top)
        return before;
      const double high = static_cast<double>(*top),
                   scale = (bins - 1) / (high - static_cast<double>(*bottom));
      auto bin_of = [=](float logit) {
        return static_cast<std::size_t>((high - static_cast<double>(logit)) * scale);
      };
      std::fill(std::begin(amounts_), std::end(amounts_), 0.0);
      if constexpr (ByMass)
        each_weight([&](float logit, float weight) {
          amounts_[bin_of(logit)] += static_cast<double>(weight);
        });
      else
        std::for_each(gathered_, gathered_ + count_,
                      [&](float logit) { amounts_[bin_of(logit)] += 1; });
      std::size_t last = 0;
      double reached = before, above_last = before;
      for (std::size_t i = 0; i < bins && reached < enough; ++i)
        if (amounts_[i] > 0) {
          last = i;
          above_last = reached;
          reached += amounts_[i];
        }
      before = above_last;
      count_ = static_cast<std::size_t>(
          std::remove_if(gathered_, gathered_ + count_,
                         [&](float logit) { return bin_of(logit) != last; }) -
          gathered_);
      fill_up();
    }
  }

  double mass_without(boundary last) const {
    cut_sums sums;
    each_block([&](row_view train, row_view infer, std::size_t tokens) {
      sums.add(Kernels::sums_of(train, infer, tokens, train_peak_, train_scale_, last.at));
    });
    double out = sums.below;
    if (sums.ties > last.kept)
      out += sums.tied - static_cast<double>(last.kept) * static_cast<double>(sums.least_tied);
    return std::min(std::max(out / sums.whole, 0.0), 1.0);
  }

  row_view train_, infer_;
  std::size_t vocabulary_;
  row_cut cut_;
  float* gathered_;
  std::size_t count_ = 0; // of gathered logits
  double infer_temperature_, infer_scale_, train_scale_;
  float train_peak_ = -infinity, infer_peak_ = -infinity;
  float last_train_[row_padding], last_infer_[row_padding];
  double amounts_[bins];
};

} // namespace tikc::detail::rows
