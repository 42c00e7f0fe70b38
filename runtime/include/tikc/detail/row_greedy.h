#pragma once

#include "tikc/detail/row_walk.h"

namespace tikc::detail::rows {

/// A pair of rows with a side at temperature 0, whose distribution is the one token with the
/// largest logit. If two tokens share that logit, the engine's choice is unknown, and statistics of
/// distributions have their worst value.
template <class Kernels, std::uint32_t Wants> class greedy_row {
public:
  greedy_row(row_view train, row_view infer, std::size_t vocabulary, double train_temperature,
             double infer_temperature, float* scratch)
      : train_{train, train_temperature}, infer_{infer, infer_temperature}, vocabulary_(vocabulary),
        raw_(train, infer, vocabulary, 1, 1, scratch) {}

  row_stats run(std::int64_t sampled, mask_rule masks) {
    row_stats out = raw_.run(-1, masks);
    if constexpr ((Wants & row_weighed) != 0) {
      train_.peak = raw_.train_peak();
      infer_.peak = raw_.infer_peak();
      if (raw_.is_spoilt() || is_beyond(train_) || is_beyond(infer_) || is_tied(train_) ||
          is_tied(infer_)) {
        spoil<Wants & row_weighed>(out);
        return out;
      }
      if (train_.temperature == 0 && infer_.temperature == 0)
        compare_points(out);
      else if (train_.temperature == 0)
        compare(out, train_, infer_, true);
      else
        compare(out, infer_, train_, false);
      if ((Wants & row_want::sampled_logprobs) != 0 && sampled >= 0)
        report_sampled(out, static_cast<std::size_t>(sampled));
    }
    return out;
  }

private:
  struct side {
    row_view row;
    double temperature;
    float peak = 0;
  };

  /// The softmax of a side, relative to one of its tokens.
  struct softmax {
    double chosen = 0, rest = 0; // the probability of the token, and of all others
    double log_chosen = 0, entropy = 0;
    bool alone = false; // no other token has a probability
  };

  static bool is_beyond(const side& row_side) {
    return !(row_side.temperature == 0 || (row_side.temperature >= least_temperature &&
                                           row_side.temperature <= most_temperature));
  }
  bool is_tied(const side& row_side) const {
    return row_side.temperature == 0 &&
           Kernels::count_of(row_side.row, vocabulary_, row_side.peak) > 1;
  }
  std::size_t top_of(const side& row_side) const {
    return Kernels::find(row_side.row, vocabulary_, row_side.peak);
  }

  static constexpr std::uint32_t of_laws = row_weighed & ~row_want::sampled_logprobs;

  void compare_points(row_stats& out) const {
    double apart = top_of(train_) != top_of(infer_) ? 1 : 0;
    double ratio = apart == 0 ? 0 : unbounded;
    report<Wants, of_laws>(
        out, figure_value<figure::tv>{apart}, figure_value<figure::hellinger>{apart},
        figure_value<figure::js>{apart * most_js}, figure_value<figure::missing_mass>{apart},
        figure_value<figure::kl_train_infer>{ratio}, figure_value<figure::kl_infer_train>{ratio},
        figure_value<figure::chi2>{ratio}, figure_value<figure::logprob_linf>{ratio},
        figure_value<figure::entropy_gap>{0});
  }

  /// Compares one token with a softmax, in either direction.
  void compare(row_stats& out, const side& greedy, const side& soft, bool train_is_greedy) const {
    const softmax law = law_of(soft, top_of(greedy));
    const double q = law.chosen, rest = law.rest;
    // The mass of the softmax on tokens that the greedy side never samples.
    const double stray = law.alone ? 0 : unbounded, missed = 0 - law.log_chosen;
    const double halves = q > 0 ? q * std::log(2 * q / (1 + q)) : 0;
    const double js = (std::log(2 / (1 + q)) + halves + rest * most_js) / 2;
    const double missing = !train_is_greedy ? rest : std::isfinite(missed) ? 0 : 1;
    report<Wants, of_laws>(
        out, figure_value<figure::tv>{rest},
        figure_value<figure::hellinger>{rest / (1 + std::sqrt(q))},
        figure_value<figure::js>{std::min(std::max(js, 0.0), most_js)},
        figure_value<figure::kl_train_infer>{train_is_greedy ? missed : stray},
        figure_value<figure::kl_infer_train>{train_is_greedy ? stray : missed},
        figure_value<figure::chi2>{train_is_greedy ? (q > 0 ? rest / q : unbounded) : stray},
        figure_value<figure::logprob_linf>{law.alone ? missed : unbounded},
        figure_value<figure::entropy_gap>{law.entropy},
        figure_value<figure::missing_mass>{missing});
  }

  /// Returns sums over all tokens except `but`.
  row_law sums_of(const side& row_side, std::size_t but) const {
    row_law out;
    double scale = 1 / row_side.temperature;
    constexpr std::size_t step = row_block_tokens;
    for (std::size_t i = 0; i < vocabulary_; i += step) {
      std::size_t end = std::min(i + step, vocabulary_), from = i;
      if (but >= i && but < end) { // copy the vector that contains it, and mask it
        std::size_t first = but / row_padding * row_padding;
        out.add(Kernels::law_of(skip(row_side.row, from), first - from, row_side.peak, scale));
        out.add(part_of(row_side, first, std::min(first + row_padding, end), but));
        from = std::min(first + row_padding, end);
      }
      std::size_t whole = (end - from) / row_padding * row_padding;
      out.add(Kernels::law_of(skip(row_side.row, from), whole, row_side.peak, scale));
      out.add(part_of(row_side, from + whole, end, but));
    }
    return out;
  }

  row_law part_of(const side& row_side, std::size_t from, std::size_t end, std::size_t but) const {
    float copy[row_padding];
    for (std::size_t i = 0; i < row_padding; ++i)
      copy[i] = from + i < end && from + i != but ? value_at(row_side.row, from + i) : -infinity;
    return Kernels::law_of({copy, number_format::fp32}, row_padding, row_side.peak,
                           1 / row_side.temperature);
  }

  softmax law_of(const side& row_side, std::size_t at) const {
    row_law others = sums_of(row_side, at);
    double below =
        (static_cast<double>(value_at(row_side.row, at)) - static_cast<double>(row_side.peak)) /
        row_side.temperature;
    double own = std::exp(below), total = own + others.weight;
    softmax out;
    out.chosen = own / total;
    out.rest = others.weight / total;
    out.log_chosen =
        own > 1e-290 ? -std::log1p(others.weight / own) : below - std::log(others.weight);
    double level = (own > 0 ? own * below : 0) + others.level;
    out.entropy =
        std::max((below == 0 ? std::log1p(others.weight) : std::log(total)) - level / total, 0.0);
    out.alone = is_alone(row_side, at);
    return out;
  }

  bool is_alone(const side& row_side, std::size_t at) const {
    return std::isfinite(value_at(row_side.row, at)) &&
           Kernels::count_of(row_side.row, vocabulary_, -infinity) == vocabulary_ - 1;
  }

  void report_sampled(row_stats& out, std::size_t token) const {
    auto logprob = [&](const side& row_side) {
      if (row_side.temperature == 0)
        return top_of(row_side) == token ? 0.0 : -unbounded;
      return law_of(row_side, token).log_chosen;
    };
    out.train_logprob = logprob(train_);
    out.infer_logprob = logprob(infer_);
  }

  side train_, infer_;
  std::size_t vocabulary_;
  row_walk<Kernels, Wants & ~row_weighed> raw_;
};

} // namespace tikc::detail::rows
