// Tokens in fp32 lanes: the sums of a block, and how a vector is added. Tokens too far off for fp32
// are put aside. Included by token_kernel.h at each of its places.

inline constexpr std::size_t block_tokens = 64 * width;
/// Prefetches because three streams of two widths exceed what hardware prefetchers follow across
/// pages.
inline constexpr std::uintptr_t ahead = 2048;

#define TIKC_TOKEN_STEP TIKC_TOKEN_TARGET TIKC_TOKEN_INLINE

template <class Plan> struct lane_state {
  real sums[token_sum_count];
  real least;
  real greatest;
  whole above[Plan::above.size() + 1];
  whole below[Plan::below.size() + 1];
  whole beyond[Plan::beyond.size() + 1];
  std::size_t lanes_used;
  whole dropped;  // lanes of these without a token
  whole unplaced; // lanes without a bucket of the sketch
  whole placed;   // tokens that only the sketch has taken from their lanes
  whole huge[2];  // beyond the sketch's buckets, by sign
  whole bad;
  /// For tokens whose weight is far from 1: w − 1 would lose a small weight.
  real weights, square_weights;
  whole far;
};

/// The tokens of a block that are too far off for fp32.
struct odd_tokens {
  float train[block_tokens + width];
  float infer[block_tokens + width];
  float gap[block_tokens + width];
  std::size_t count = 0;
  std::uint32_t bad = 0;      // not among them
  std::uint32_t unplaced = 0; // not 0: the sketch must still take some

  TIKC_TOKEN_TARGET odd_tokens() {} // leaves the arrays uninitialised
};

template <class Plan, token_sum Which>
TIKC_TOKEN_STEP void put(lane_state<Plan>& state, real value) {
  if constexpr (wants_sum(Plan::wants, Which)) {
    state.sums[static_cast<std::size_t>(Which)] += value;
  }
}

template <class Plan, token_sum Which>
TIKC_TOKEN_STEP void take(lane_state<Plan>& state, real value) {
  if constexpr (wants_sum(Plan::wants, Which)) {
    state.sums[static_cast<std::size_t>(Which)] -= value;
  }
}

template <class Plan, token_sum Which>
TIKC_TOKEN_STEP void put_product(lane_state<Plan>& state, real a, real b) {
  if constexpr (wants_sum(Plan::wants, Which)) {
    constexpr std::size_t at = static_cast<std::size_t>(Which);
    state.sums[at] = fma(a, b, state.sums[at]);
  }
}

TIKC_TOKEN_STEP real size_of(real x) { return as_real(as_whole(x) & splat(0x7fff'ffffU)); }

// Polynomials are summed by halves. A chain of dependent steps would fill the scheduler and leave
// the multipliers idle.

/// Returns (e^x − 1 − x)/x² for |x| <= 1/4, with a relative error of 3e-8. So e^x − 1 − x keeps its
/// digits at any drift and is never negative.
TIKC_TOKEN_STEP real short_series(real x, real square) {
  const real low = fma(splat(0x1.555534p-3F), x, splat(0.5F));
  const real middle = fma(splat(0x1.119336p-7F), x, splat(0x1.555546p-5F));
  return fma(fma(splat(0x1.6c98ep-10F), square, middle), square, low);
}

/// Returns (e^x − 1 − x)/x² for |x| <= 1/2, with a relative error of 6e-8.
TIKC_TOKEN_STEP real long_series(real x) {
  real y = fma(splat(0x1.a2463ap-13F), x, splat(0x1.6e88dcp-10F));
  y = fma(y, x, splat(0x1.11104p-7F));
  y = fma(y, x, splat(0x1.55538p-5F));
  y = fma(y, x, splat(0x1.555556p-3F));
  return fma(y, x, splat(0.5F));
}

/// x = k·ln 2 + rest. k is in the low bits of `shifted`, from which a shift moves it to the
/// exponent.
struct reduction {
  real shifted;
  real rest;
};

TIKC_TOKEN_STEP reduction reduce(real x) {
  const real rounder = splat(0x1.8p23F);
  const real shifted = fma(x, splat(0x1.715476p0F), rounder);
  const real k = shifted - rounder;
  if constexpr (fuses) {
    return {shifted, fma(k, splat(-0x1.62e43p-1F), x)};
  } else {
    // The first part of ln 2 is short enough that its product with k is exact.
    return {shifted, (x - k * splat(0x1.63p-1F)) + k * splat(0x1.bd0106p-13F)};
  }
}

/// Returns e^x for |x| <= 84, with an error of 2e-7 + 3e-9·|x|; the second term is from ln 2 in one
/// float.
TIKC_TOKEN_STEP real exponential(real x) {
  const reduction r = reduce(x);
  const real square = r.rest * r.rest;
  const real middle = fma(splat(0.16666505F), r.rest, splat(0.49998868F));
  const real high = fma(splat(0.008369184F), r.rest, splat(0.04191776F));
  const real y = fma(fma(high, square, middle), square, r.rest + splat(1.0F));
  return as_real(as_whole(y) + (as_whole(r.shifted) << 23));
}

/// e^x and e^x − 1 for 1/2 < |x| <= 20: 2^k·(e^r − 1) + (2^k − 1).
struct weight {
  real whole, excess;
};
TIKC_TOKEN_STEP weight far_weight(real x) {
  const reduction r = reduce(x);
  const real inner = fma(r.rest * r.rest, long_series(r.rest), r.rest);
  const real scale = as_real(as_whole(splat(1.0F)) + (as_whole(r.shifted) << 23));
  return {fma(scale, inner, scale), fma(scale, inner, scale - splat(1.0F))};
}

/// Returns lanes whose top bit shows whether |x| exceeds the limit or is NaN. Floats of one sign
/// are ordered like their bits, and the integer units are idle.
TIKC_TOKEN_STEP whole passes(whole size_bits, float limit) {
  return size_bits + splat(0x7fff'ffffU - buckets::bits(limit));
}

template <class Plan, std::size_t... At>
TIKC_TOKEN_STEP void count_above(lane_state<Plan>& state, [[maybe_unused]] real x,
                                 [[maybe_unused]] lanes kept, std::index_sequence<At...>) {
  ((state.above[At] = tally(state.above[At], both(kept, is_less(splat(Plan::above[At]), x)))), ...);
}
template <class Plan, std::size_t... At>
TIKC_TOKEN_STEP void count_below(lane_state<Plan>& state, [[maybe_unused]] real x,
                                 [[maybe_unused]] lanes kept, std::index_sequence<At...>) {
  ((state.below[At] = tally(state.below[At], both(kept, is_less(x, splat(Plan::below[At]))))), ...);
}
template <class Plan, std::size_t... At>
TIKC_TOKEN_STEP void count_beyond(lane_state<Plan>& state, [[maybe_unused]] real size,
                                  [[maybe_unused]] lanes kept, std::index_sequence<At...>) {
  ((state.beyond[At] = tally(state.beyond[At], both(kept, is_less(splat(Plan::beyond[At]), size)))),
   ...);
}

/// Writes the sketch's buckets of a vector, without a branch. Lanes without a bucket, tiny or
/// dropped, get the topmost buckets, a different one per lane so that no store waits for another;
/// finish() subtracts them. No other value reaches those buckets here: |x| <= 20.
template <class Plan>
TIKC_TOKEN_STEP void place(lane_state<Plan>& state, real x, real size, std::uint32_t* places) {
  using b = buckets;
  constexpr std::uint32_t top = b::count - static_cast<std::uint32_t>(width);
  alignas(64) static constexpr std::uint32_t lane_numbers[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                                 8, 9, 10, 11, 12, 13, 14, 15};
  whole lane_number;
  std::memcpy(&lane_number, lane_numbers, sizeof lane_number);
  const lanes unplaced = is_less(size, splat(b::tiny));
  const whole side = (as_whole(x) >> 31) * splat(b::count);
  const whole bucket = (as_whole(size) >> b::shift) - splat(b::lowest) + side;
  store(places + state.lanes_used, select(unplaced, splat(top) + lane_number, bucket));
  state.unplaced = tally(state.unplaced, unplaced);
}

/// The number of places by which counting lags behind writing. Loading a part of a vector that is
/// still on its way to the cache is slow on some machines.
inline constexpr std::size_t lag = 4 * width;

template <std::size_t... Lane>
TIKC_TOKEN_STEP void count_places(const std::uint32_t* places, std::uint16_t* counts,
                                  std::index_sequence<Lane...>) {
  ((++counts[places[Lane]]), ...);
}

template <class Plan, bool Masked, bool Wide>
TIKC_TOKEN_STEP void accumulate(lane_state<Plan>& state, [[maybe_unused]] real train, real infer,
                                real x, lanes kept, [[maybe_unused]] real centre,
                                [[maybe_unused]] std::uint32_t* places,
                                [[maybe_unused]] real sketched) {
  constexpr std::uint32_t wants = Plan::wants;
  const real size = size_of(x);
  put<Plan, token_sum::gap>(state, x);
  put<Plan, token_sum::gap_size>(state, size);
  put<Plan, token_sum::infer_logprob>(state, infer);
  if constexpr ((wants & needs_extremes) != 0) {
    state.least = lesser(state.least, Masked ? select(kept, x, splat(infinity)) : x);
    state.greatest = greater(state.greatest, Masked ? select(kept, x, splat(-infinity)) : x);
  }
  count_above<Plan>(state, x, kept, std::make_index_sequence<Plan::above.size()>{});
  count_below<Plan>(state, x, kept, std::make_index_sequence<Plan::below.size()>{});
  count_beyond<Plan>(state, size, kept, std::make_index_sequence<Plan::beyond.size()>{});
  if constexpr (Masked) {
    state.dropped = tally(state.dropped, without(all_lanes(), kept));
  }
  if constexpr ((wants & token_want::sketch) != 0) {
    place<Plan>(state, sketched, size_of(sketched), places);
  }
  state.lanes_used += width;
  const real square = x * x;
  put<Plan, token_sum::gap_square>(state, square);
  if constexpr ((wants & needs_exponential) != 0) {
    real k3 = square * (Wide ? long_series(x) : short_series(x, square));
    real excess = x + k3;
    [[maybe_unused]] lanes near = all_lanes();
    if constexpr (Wide) {
      near = is_at_most(size, splat(series_limit));
      const weight far = far_weight(x);
      k3 = select(near, k3, far.excess - x);
      excess = select(near, excess, far.excess);
      if constexpr ((wants & token_want::ratio) != 0) {
        const real weight = select(near, splat(0.0F), far.whole);
        state.weights += weight;
        state.square_weights = fma(weight, weight, state.square_weights);
        state.far = tally(state.far, without(all_lanes(), near));
      }
    }
    put<Plan, token_sum::k3>(state, k3);
    const real close = Wide ? select(near, excess, splat(0.0F)) : excess;
    put<Plan, token_sum::excess>(state, close);
    put_product<Plan, token_sum::excess_square>(state, close, close);
    const real loss = lesser(excess, splat(0.0F));
    take<Plan, token_sum::tv_sampled>(state, loss);
    put_product<Plan, token_sum::tv_square>(state, loss, loss);
    if constexpr ((wants & token_want::mult_prob_error) != 0) {
      real rise = size + square * (Wide ? long_series(size) : short_series(size, square));
      if constexpr (Wide) {
        rise = select(near, rise, far_weight(size).excess);
      }
      put<Plan, token_sum::size_excess>(state, rise);
    }
    if constexpr ((wants & needs_probs) != 0) {
      const real q = exponential(infer);
      real drift = q * excess;
      if constexpr (Wide) {
        drift = select(near, drift, exponential(train) - q);
      }
      put<Plan, token_sum::prob_gap>(state, size_of(drift));
      put_product<Plan, token_sum::prob_gap_square>(state, drift, drift);
      const real offset = Masked ? select(kept, q - centre, splat(0.0F)) : q - centre;
      put<Plan, token_sum::infer_prob>(state, offset);
      put_product<Plan, token_sum::infer_prob_square>(state, offset, offset);
      put<Plan, token_sum::prob_drift>(state, drift);
      put_product<Plan, token_sum::prob_drift_square>(state, drift, drift);
      put_product<Plan, token_sum::prob_drift_cross>(state, drift, offset);
    }
  }
}

/// Gathers the lanes' tokens for processing after the block.
TIKC_TOKEN_STEP void gather(odd_tokens& into, real train, real infer, real x, lanes which) {
  if (bits(which) == bits(all_lanes())) {
    store(into.train + into.count, train);
    store(into.infer + into.count, infer);
    store(into.gap + into.count, x);
    into.count += width;
    return;
  }
  float trains[width];
  float infers[width];
  float gaps[width];
  store(trains, train);
  store(infers, infer);
  store(gaps, x);
  for (std::uint32_t left = bits(which); left != 0; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    into.train[into.count] = trains[lane];
    into.infer[into.count] = infers[lane];
    into.gap[into.count++] = gaps[lane];
  }
}

/// Returns whether neither side exceeds 0 by more than rounding, and the server could sample the
/// token.
TIKC_TOKEN_STEP lanes are_logprobs(real train, real infer) {
  return both(is_at_most(greater(train, infer), splat(left_by_rounding)),
              is_less(splat(masked_log_prob), infer));
}

/// Adds a vector with a token that is far off or missing. Lanes without a token become x = 0 and
/// log q = 0, which adds nothing to any sum; `kept` is for counting lanes.
template <class Plan>
TIKC_TOKEN_STEP void accumulate_any(lane_state<Plan>& state, odd_tokens& gathered, real train,
                                    real infer, real x, lanes kept, real centre,
                                    std::uint32_t* places) {
  real sketched = splat(0.0F);
  lanes usual =
      both(both(kept, is_at_most(size_of(x), splat(far_limit))), are_logprobs(train, infer));
  // Without such wants, nothing reads log q: which tokens are odd, and so the bits of a sum, must
  // not depend on other wants.
  if constexpr ((Plan::wants & (needs_probs | token_want::logprobs)) != 0) {
    usual = both(usual, is_at_most(size_of(infer), splat(logprob_limit)));
  }
  if (const lanes unusual = without(kept, usual); bits(unusual) != 0) {
    const lanes odd = both(both(unusual, is_at_most(x, x)), are_logprobs(train, infer));
    state.bad = tally(state.bad, without(unusual, odd));
    gather(gathered, train, infer, x, odd);
    if constexpr ((Plan::wants & needs_extremes) != 0) {
      state.least = lesser(state.least, select(odd, x, splat(infinity)));
      state.greatest = greater(state.greatest, select(odd, x, splat(-infinity)));
    }
    count_above<Plan>(state, x, odd, std::make_index_sequence<Plan::above.size()>{});
    count_below<Plan>(state, x, odd, std::make_index_sequence<Plan::below.size()>{});
    count_beyond<Plan>(state, size_of(x), odd, std::make_index_sequence<Plan::beyond.size()>{});
    if constexpr ((Plan::wants & token_want::sketch) != 0) {
      const lanes placed = both(odd, is_less(size_of(x), splat(placed_limit)));
      sketched = select(placed, x, sketched);
      state.placed = tally(state.placed, placed);
      const lanes above = both(odd, is_at_most(splat(buckets::huge), x));
      const lanes below = both(odd, is_at_most(x, splat(-buckets::huge)));
      state.huge[0] = tally(state.huge[0], above);
      state.huge[1] = tally(state.huge[1], below);
      gathered.unplaced |= bits(without(without(without(odd, placed), above), below));
    }
    if (bits(usual) == 0) {
      state.dropped = tally(state.dropped, all_lanes());
      if constexpr ((Plan::wants & token_want::sketch) != 0) {
        place<Plan>(state, sketched, size_of(sketched), places);
      }
      state.lanes_used += width;
      return;
    }
    kept = usual;
  }
  train = select(kept, train, splat(0.0F));
  infer = select(kept, infer, splat(0.0F));
  const real near = select(kept, x, splat(0.0F));
  accumulate<Plan, true, true>(state, train, infer, near, kept, centre, places,
                               select(kept, near, sketched));
}
