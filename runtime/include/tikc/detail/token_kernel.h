// The token pass over one block. This file is compiled once per instruction set, in its namespace
// and with TIKC_TOKEN_TARGET as the attribute. No compiler inlines a function into one for a lesser
// target, so a template over the vector type is not enough. Hence it has no `#pragma once`.
//
// Sums are kept in fp32 lanes for one block of 64 vectors, and then added to doubles.

#include "tikc/detail/token_lanes.h"

#include "tikc/detail/token_odd.h"

/// Adds a vector with a mask. Masks come in runs: most vectors are completely in or out, and need
/// no select.
template <class Plan>
TIKC_TOKEN_STEP void visit(lane_state<Plan>& state, odd_tokens& odd, real train, real infer, real x,
                           lanes kept, real centre, std::uint32_t* places) {
  const bool is_whole = bits(kept) == bits(all_lanes());
  if (!is_whole) {
    train = select(kept, train, splat(0.0F));
    infer = select(kept, infer, splat(0.0F));
    x = select(kept, x, splat(0.0F));
  }
  constexpr bool near = (Plan::wants & needs_exponential) != 0;
  whole unusual = passes(as_whole(size_of(x)), near ? near_limit : far_limit);
  unusual |= as_whole(splat(left_by_rounding) - greater(train, infer));
  if constexpr ((Plan::wants & (needs_probs | token_want::logprobs)) != 0) {
    unusual |= passes(as_whole(size_of(infer)), logprob_limit);
  }
  if (__builtin_expect(any_top_bit(unusual), 0)) {
    accumulate_any<Plan>(state, odd, train, infer, x, kept, centre, places);
  } else if (__builtin_expect(is_whole, 1)) {
    accumulate<Plan, false, false>(state, train, infer, x, kept, centre, places, x);
  } else {
    accumulate<Plan, true, false>(state, train, infer, x, kept, centre, places, x);
  }
}

template <class Plan, std::size_t... At>
TIKC_TOKEN_STEP void clear(lane_state<Plan>& state, std::index_sequence<At...>) {
  ((state.sums[At] = splat(0.0F)), ...);
}
template <std::size_t... At> TIKC_TOKEN_STEP void clear(whole* counts, std::index_sequence<At...>) {
  ((counts[At] = splat(0U)), ...);
}
template <class Counts, std::size_t... At>
TIKC_TOKEN_STEP void flush_counts([[maybe_unused]] Counts& into,
                                  [[maybe_unused]] const whole* counts,
                                  std::index_sequence<At...>) {
  ((into[At] += total(counts[At])), ...);
}
template <class Plan, token_sum Which, class Stats>
TIKC_TOKEN_STEP void flush(Stats& stats, const lane_state<Plan>& state) {
  if constexpr (wants_sum(Plan::wants, Which) && Which != token_sum::train_logprob) {
    stats.at(Which).add(static_cast<double>(total(state.sums[static_cast<std::size_t>(Which)])));
  }
}
template <class Plan, class Stats, std::size_t... At>
TIKC_TOKEN_STEP void flush(Stats& stats, const lane_state<Plan>& state,
                           std::index_sequence<At...>) {
  (flush<Plan, static_cast<token_sum>(At)>(stats, state), ...);
}

template <class Plan, class Stats>
TIKC_TOKEN_STEP void finish(Stats& stats, const lane_state<Plan>& state, block_totals& block,
                            [[maybe_unused]] std::uint16_t* counts) {
  const std::size_t dropped = total(state.dropped);
  block.count += state.lanes_used - dropped;
  stats.count += block.count;
  flush<Plan>(stats, state, std::make_index_sequence<token_sum_count>{});
  if constexpr ((Plan::wants & token_want::ratio) != 0) {
    add_weights(stats, static_cast<double>(total(state.weights)),
                static_cast<double>(total(state.square_weights)),
                static_cast<double>(total(state.far)));
  }
  if constexpr (wants_sum(Plan::wants, token_sum::gap)) {
    const double gap = static_cast<double>(total(state.sums[0]));
    block.gap += gap;
    if constexpr ((Plan::wants & token_want::logprobs) != 0) {
      constexpr std::size_t infer = static_cast<std::size_t>(token_sum::infer_logprob);
      stats.at(token_sum::train_logprob).add(static_cast<double>(total(state.sums[infer])) + gap);
    }
  }
  flush_counts(stats.above, state.above, std::make_index_sequence<Plan::above.size()>{});
  flush_counts(stats.below, state.below, std::make_index_sequence<Plan::below.size()>{});
  flush_counts(stats.beyond, state.beyond, std::make_index_sequence<Plan::beyond.size()>{});
  if constexpr ((Plan::wants & needs_extremes) != 0) {
    const float low = least(state.least);
    const float high = -least(splat(0.0F) - state.greatest);
    block.least = low < block.least ? low : block.least;
    block.greatest = high > block.greatest ? high : block.greatest;
    if constexpr ((Plan::wants & token_want::sketch) != 0) {
      signed_sketch& sketch = stats.sketch.settled();
      sketch.least = low < sketch.least ? low : sketch.least;
      sketch.greatest = high > sketch.greatest ? high : sketch.greatest;
      sketch.huge[0] += total(state.huge[0]);
      sketch.huge[1] += total(state.huge[1]);
      if (const std::uint32_t all = total(state.unplaced); all != 0) {
        std::uint32_t unplaced[width];
        store(unplaced, state.unplaced);
        for (std::size_t i = 0; i < width; ++i) {
          std::uint16_t& top = counts[buckets::count - width + i];
          top = static_cast<std::uint16_t>(top - unplaced[i]);
        }
        sketch.tiny += all + total(state.placed) - dropped;
      }
    }
  }
}

/// Passes over a block. `Plan` is a type that determines what is computed, whatever type the plan
/// of the stats has.
template <class Plan, bool Gapped, class Stats>
TIKC_TOKEN_STEP block_totals pass_over(Stats& stats, const float* train, const float* infer,
                                       [[maybe_unused]] const float* gap, const std::uint8_t* mask,
                                       std::size_t size) {
  block_totals block;
  lane_state<Plan> state;
  clear<Plan>(state, std::make_index_sequence<token_sum_count>{});
  clear(state.above, std::make_index_sequence<Plan::above.size()>{});
  clear(state.below, std::make_index_sequence<Plan::below.size()>{});
  clear(state.beyond, std::make_index_sequence<Plan::beyond.size()>{});
  state.least = splat(infinity);
  state.greatest = splat(-infinity);
  state.lanes_used = 0;
  state.dropped = splat(0U);
  state.unplaced = splat(0U);
  state.bad = state.placed = state.huge[0] = state.huge[1] = splat(0U);
  state.weights = state.square_weights = splat(0.0F);
  state.far = splat(0U);
  odd_tokens odd;
  const real centre = splat(stats.centre);
  constexpr bool sketched = (Plan::wants & token_want::sketch) != 0;
  alignas(64) std::uint32_t places[sketched ? block_tokens : width];
  std::uint16_t* counts = nullptr;
  if constexpr (sketched) {
    counts = stats.sketch.room_for(size);
  }
  std::size_t counted = 0;
  for (std::size_t i = 0; i < size; i += width) {
    const std::size_t left = size - i;
    const bool full = left >= width;
    prefetch(train + i, ahead);
    prefetch(infer + i, ahead);
    lanes kept = full ? all_lanes() : first_lanes(left);
    if (mask != nullptr) {
      prefetch(mask + i, ahead);
      kept = full ? load_mask(mask + i) : load_mask_part(mask + i, left);
      if (bits(kept) == 0) {
        continue;
      }
    }
    const real p = full ? load(train + i) : load_part(train + i, left);
    const real q = full ? load(infer + i) : load_part(infer + i, left);
    real x = p - q;
    if constexpr (Gapped) {
      x = full ? load(gap + i) : load_part(gap + i, left);
    }
    visit<Plan>(state, odd, p, q, x, kept, centre, places);
    if (sketched && state.lanes_used > counted + lag) {
      count_places(places + counted, counts, std::make_index_sequence<width>{});
      counted += width;
    }
  }
  for (; sketched && counted < state.lanes_used; counted += width) {
    count_places(places + counted, counts, std::make_index_sequence<width>{});
  }
  odd.bad = total(state.bad);
  if (odd.count + odd.bad != 0) {
    finish_odd<Plan>(stats, odd, block);
  }
  finish<Plan>(stats, state, block, counts);
  return block;
}

template <class Plan, class Stats>
TIKC_TOKEN_TARGET block_totals pass(Stats& stats, const float* train, const float* infer,
                                    const std::uint8_t* mask, std::size_t size) {
  return pass_over<Plan, false>(stats, train, infer, nullptr, mask, size);
}
/// Passes over tokens whose x is given.
template <class Plan, class Stats>
TIKC_TOKEN_TARGET block_totals pass_gapped(Stats& stats, const float* train, const float* infer,
                                           const float* gap, const std::uint8_t* mask,
                                           std::size_t size) {
  return pass_over<Plan, true>(stats, train, infer, gap, mask, size);
}

/// The counted side of a threshold.
enum class side { above, below, beyond };

/// Adds the number of a block's tokens beyond each threshold on x, without bad tokens. `gap` is
/// null if x is not given.
template <side Side>
TIKC_TOKEN_TARGET void count_past(const float* thresholds, std::size_t count, std::uint64_t* into,
                                  const float* train, const float* infer, const float* gap,
                                  const std::uint8_t* mask, std::size_t size) {
  for (std::size_t at = 0; at < count; ++at) {
    const real threshold = splat(thresholds[at]);
    whole matches = splat(0U);
    for (std::size_t i = 0; i < size; i += width) {
      const std::size_t left = size - i;
      const bool full = left >= width;
      lanes kept = mask == nullptr ? (full ? all_lanes() : first_lanes(left))
                                   : (full ? load_mask(mask + i) : load_mask_part(mask + i, left));
      const real p = full ? load(train + i) : load_part(train + i, left);
      const real q = full ? load(infer + i) : load_part(infer + i, left);
      real x = p - q;
      if (gap != nullptr)
        x = full ? load(gap + i) : load_part(gap + i, left);
      kept = both(kept, are_logprobs(p, q));
      if constexpr (Side == side::above)
        kept = both(kept, is_less(threshold, x));
      else if constexpr (Side == side::below)
        kept = both(kept, is_less(x, threshold));
      else
        kept = both(kept, is_less(threshold, size_of(x)));
      matches = tally(matches, kept);
    }
    into[at] += total(matches);
  }
}

TIKC_TOKEN_TARGET inline void count_thresholds(const token_thresholds& thresholds,
                                               const float* train, const float* infer,
                                               const float* gap, const std::uint8_t* mask,
                                               std::size_t size) {
  count_past<side::above>(thresholds.above, thresholds.above_count, thresholds.above_into, train,
                          infer, gap, mask, size);
  count_past<side::below>(thresholds.below, thresholds.below_count, thresholds.below_into, train,
                          infer, gap, mask, size);
  count_past<side::beyond>(thresholds.beyond, thresholds.beyond_count, thresholds.beyond_into,
                           train, infer, gap, mask, size);
}

#undef TIKC_TOKEN_STEP
