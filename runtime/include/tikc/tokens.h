#pragma once

#include "tikc/detail/token_kernels.h"
#include "tikc/detail/token_stats.h"
#include "tikc/figures.h"
#include "tikc/sketch.h"
#include "tikc/sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tikc {

/// Sampled tokens: the log-probs from both kernels. A mask of 0 removes a token; a null mask keeps
/// all.
struct token_batch {
  const float* train;
  const float* infer;
  const std::uint8_t* mask;
  std::size_t size;
  std::uint64_t first = 0; // the position of the first token; extremes are reported by position
};

/// Sampled tokens whose log-probs need more precision than floats: `gap` is the difference x of
/// each token, rounded after the subtraction. Passes that read it are compiled for loaded plans
/// only.
struct gapped_batch {
  const float* train;
  const float* infer;
  const float* gap;
  const std::uint8_t* mask;
  std::size_t size;
  std::uint64_t first = 0;
};

/// Returns x of a token.
inline float gap_at(const token_batch& batch, std::size_t token) {
  return batch.train[token] - batch.infer[token];
}
inline float gap_at(const gapped_batch& batch, std::size_t token) { return batch.gap[token]; }

/// The number of figures that clauses can average by response, apart from the log-ratio: first its
/// absolute value, then figures with their own sum.
inline constexpr std::size_t response_sums = detail::response_sums_before(figure::window_figure);

/// One response: W is the product of its tokens' ratios, kept as a logarithm.
struct sequence {
  sum log_ratio;
  std::uint64_t tokens = 0;
  float least = detail::infinity; // the least x, for a veto
  /// Sums that no clause needs stay 0.
  std::array<double, response_sums> figures{};

  void add(double gap, float least_gap, std::uint64_t count) {
    log_ratio.add(gap);
    tokens += count;
    least = least_gap < least ? least_gap : least;
  }

  /// Returns a figure's mean over the tokens; requires a token.
  double mean(std::size_t index) const { return figures[index] / static_cast<double>(tokens); }

  double seq_log_ratio() const { return log_ratio.value(); }
  /// Returns the mean of x, or 0 without tokens.
  double seq_log_geo_ratio() const {
    return tokens == 0 ? 0 : log_ratio.value() / static_cast<double>(tokens);
  }
  /// Returns W^(1/tokens), or 1 without tokens.
  double seq_geo_ratio() const { return std::exp(seq_log_geo_ratio()); }
  /// Returns max(0, 1 − W), or 1, the worst value, if W is unknown.
  double seq_tv() const {
    const double loss = -std::expm1(log_ratio.value());
    return loss <= 0 ? 0 : loss <= 1 ? loss : 1;
  }
};

/// Buffers in which tokens are gathered by slice: 512 KiB that one thread lends to one call at a
/// time. They need no initialisation. Plans without positions never touch half of it.
struct token_scratch {
  static constexpr std::size_t capacity = 32768;
  static constexpr std::size_t slack = 16; // the first is for tokens without a slice
  alignas(64) float train[capacity + slack];
  alignas(64) float infer[capacity + slack];
  std::uint64_t place[capacity + slack];
};

namespace detail {

/// Sets the centre of q for Pearson's sums to the mean of the first tokens.
template <class Plan, class Batch> void set_centre(token_stats<Plan>& stats, const Batch& batch) {
  constexpr int enough = 64;
  double total = 0;
  int count = 0;
  for (std::size_t i = 0; i < batch.size && count < enough; ++i) {
    const float infer = batch.infer[i];
    if ((batch.mask == nullptr || batch.mask[i] != 0) && infer <= 1) {
      total += std::exp(static_cast<double>(infer));
      ++count;
    }
  }
  stats.centre = count == 0 ? 0 : static_cast<float>(total / count);
}

/// Moves the centre to the mean if they differ by more than two standard deviations.
template <class Plan> void keep_centre(token_stats<Plan>& stats) {
  if (!stats.wants(token_want::pearson)) {
    return;
  }
  const double mean = stats.mean(token_sum::infer_prob);
  if (mean * mean > 0.8 * stats.mean(token_sum::infer_prob_square) && std::isfinite(mean)) {
    stats.move_centre(stats.centre + static_cast<float>(mean));
  }
}

/// Records new extremes. They are rare enough to search the block again for their position.
template <class Plan, class Batch, class PlaceOf>
void take_extremes(token_stats<Plan>& stats, const block_totals& totals, const Batch& block,
                   PlaceOf place_of) {
  if (totals.count == 0 || !stats.wants(needs_extremes)) {
    return;
  }
  if (!stats.wants(token_want::places)) {
    stats.least = std::min(stats.least, totals.least);
    stats.greatest = std::max(stats.greatest, totals.greatest);
  } else {
    // A bad token is the worst at either end.
    const auto find = [&](float sought, float worst) {
      const auto value_at = [&](std::size_t i) {
        const float x = gap_at(block, i);
        return is_bad(block.train[i], block.infer[i], x) ? worst : x;
      };
      std::size_t i = 0;
      while ((block.mask != nullptr && block.mask[i] == 0) || value_at(i) != sought) {
        ++i;
      }
      return place_of(i);
    };
    if (totals.least < stats.least || stats.least_at == nowhere) {
      stats.take_least(totals.least, find(totals.least, -infinity));
    }
    if (totals.greatest > stats.greatest || stats.greatest_at == nowhere) {
      stats.take_greatest(totals.greatest, find(totals.greatest, infinity));
    }
  }
}

inline token_batch part_of(const token_batch& batch, std::size_t from, std::size_t size) {
  return {batch.train + from, batch.infer + from,
          batch.mask == nullptr ? nullptr : batch.mask + from, std::min(size, batch.size - from),
          batch.first + from};
}
inline gapped_batch part_of(const gapped_batch& batch, std::size_t from, std::size_t size) {
  return {batch.train + from,
          batch.infer + from,
          batch.gap + from,
          batch.mask == nullptr ? nullptr : batch.mask + from,
          std::min(size, batch.size - from),
          batch.first + from};
}

template <class Pass, class Plan>
block_totals run_pass(const Pass& pass, token_stats<Plan>& stats, const token_batch& block) {
  return pass.run(stats, block.train, block.infer, block.mask, block.size);
}
template <class Pass, class Plan>
block_totals run_pass(const Pass& pass, token_stats<Plan>& stats, const gapped_batch& block) {
  return pass.run_gapped(stats, block.train, block.infer, block.gap, block.mask, block.size);
}

/// Observes at most a block of one slice's tokens; place_of(i) is the position of token i.
template <class Plan, class Batch, class PlaceOf>
block_totals observe_block(const chosen_pass<Plan>& pass, token_stats<Plan>& stats,
                           const Batch& block, PlaceOf place_of) {
  if (stats.wants(token_want::pearson) && stats.count == 0) {
    set_centre(stats, block);
  }
  const block_totals totals = run_pass(pass, stats, block);
  take_extremes(stats, totals, block, place_of);
  return totals;
}

template <class Plan, class Batch = token_batch>
void observe_with(token_isa isa, token_stats<Plan>& stats, const Batch& batch, sequence* response) {
  const chosen_pass<Plan> pass = choose_pass<Plan>(isa, stats.plan());
  for (std::size_t i = 0; i < batch.size; i += pass.block_tokens) {
    const Batch block = part_of(batch, i, pass.block_tokens);
    const block_totals totals =
        observe_block(pass, stats, block, [&](std::size_t at) { return block.first + at; });
    if (response != nullptr) {
      response->add(totals.gap, totals.least, totals.count);
    }
  }
  keep_centre(stats);
}

} // namespace detail

/// Adds a batch of tokens of one slice.
template <class Plan, class Batch = token_batch>
void observe(token_stats<Plan>& stats, const Batch& batch) {
  detail::observe_with(detail::best_token_isa(), stats, batch, nullptr);
}

/// Adds a batch of tokens of one sequence, which may come in several batches.
template <class Plan, class Batch = token_batch>
void observe(token_stats<Plan>& stats, const Batch& batch, sequence& response) {
  if constexpr (detail::is_constant<Plan>) {
    static_assert((Plan::wants & token_want::gap) != 0 && (Plan::wants & token_want::range) != 0,
                  "a sequence is read off the sums and the extremes of x");
  }
  detail::observe_with(detail::best_token_isa(), stats, batch, &response);
}

namespace detail {

/// Gathers tokens by slice into runs, so that a run costs as much as a batch of one slice. Runs are
/// whole vectors, except the last of each slice.
template <class Plan> class slice_runs {
public:
  slice_runs(token_isa isa, token_stats<Plan>* stats, std::size_t slices, token_scratch& scratch)
      : pass_(choose_pass<Plan>(isa, stats->plan())), stats_(stats),
        slices_(std::min(slices, no_slice)), scratch_(scratch) {
    while (room_ < pass_.block_tokens && 2 * room_ * slices_ <= token_scratch::capacity) {
      room_ *= 2;
    }
    for (std::size_t index = 0; index < slices_; ++index) {
      next_[index] = static_cast<std::uint32_t>(index * room_);
    }
    next_[no_slice] = token_scratch::capacity;
  }

  /// Returns the number of tokens without a slice.
  template <bool Masked> std::uint64_t add(const token_batch& batch, const std::uint8_t* slice) {
    const float* train = batch.train;
    const float* infer = batch.infer;
    const std::uint8_t* mask = batch.mask;
    token_scratch& scratch = scratch_;
    const std::size_t slices = slices_;
    const bool wants_places = stats_->wants(token_want::places);
    const std::uint32_t last = static_cast<std::uint32_t>(room_) - 1;
    std::uint64_t dropped = 0;
    std::uint64_t masked = 0;
    for (std::size_t i = 0; i < batch.size; ++i) {
      bool kept = slice[i] < slices;
      if constexpr (Masked) {
        kept = kept && mask[i] != 0;
        masked += mask[i] == 0 ? 1U : 0U;
      }
      const std::size_t index = kept ? slice[i] : no_slice;
      const std::uint32_t at = next_[index];
      scratch.train[at] = train[i];
      scratch.infer[at] = infer[i];
      if (wants_places) {
        scratch.place[at] = batch.first + i;
      }
      dropped += kept ? 0U : 1U;
      next_[index] = at + (kept ? 1U : 0U);
      // The room is a power of two, and runs begin at its multiples. The place without a slice
      // does, too.
      if ((at & last) == last) {
        finish(index, room_);
      }
    }
    return dropped - masked;
  }

  void finish_all() {
    for (std::size_t index = 0; index < slices_; ++index) {
      if (const std::size_t held = next_[index] - index * room_; held != 0) {
        finish(index, held);
      }
      keep_centre(stats_[index]);
    }
  }

private:
  static constexpr std::size_t no_slice = 256;

  __attribute__((noinline)) void finish(std::size_t index, std::size_t held) {
    const std::size_t from = index * room_;
    const token_batch run{scratch_.train + from, scratch_.infer + from, nullptr, held};
    observe_block(pass_, stats_[index], run,
                  [&](std::size_t at) { return scratch_.place[from + at]; });
    next_[index] = static_cast<std::uint32_t>(from);
  }

  chosen_pass<Plan> pass_;
  token_stats<Plan>* stats_;
  std::size_t slices_;
  token_scratch& scratch_;
  std::size_t room_ = 64;
  std::uint32_t next_[no_slice + 1] = {};
};

template <class Plan>
std::uint64_t observe_sliced_with(token_isa isa, token_stats<Plan>* stats, std::size_t slices,
                                  const token_batch& batch, const std::uint8_t* slice,
                                  token_scratch& scratch) {
  slice_runs<Plan> runs(isa, stats, slices, scratch);
  const std::uint64_t strays = batch.mask == nullptr ? runs.template add<false>(batch, slice)
                                                     : runs.template add<true>(batch, slice);
  runs.finish_all();
  return strays;
}

} // namespace detail

/// Adds a batch with a slice for each token: token i goes to stats[slice[i]], for at most 256
/// slices. Returns the number of tokens whose slice is out of range. They are in no statistic; the
/// caller reports them.
template <class Plan>
[[nodiscard]] std::uint64_t observe_sliced(token_stats<Plan>* stats, std::size_t slices,
                                           const token_batch& batch, const std::uint8_t* slice,
                                           token_scratch& scratch) {
  return detail::observe_sliced_with<Plan>(detail::best_token_isa(), stats, slices, batch, slice,
                                           scratch);
}

} // namespace tikc
