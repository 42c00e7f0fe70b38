// The token pass over one block. This text is compiled once for each instruction set, in its
// namespace and with TIKC_TOKEN_TARGET as its attribute: neither compiler inlines a function into
// one that is compiled for less, so a template over the vector type alone cannot do it. No `#pragma
// once` therefore.
//
// Sums are kept in fp32 lanes for one block of 64 vectors, and then go to doubles.

inline constexpr std::size_t block_tokens = 64 * width;
/// Three streams of two widths are more than the machine's own prefetchers follow across pages.
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
  whole dropped;  // lanes of these that held no token
  whole unplaced; // lanes that no bucket of the sketch is for
  whole placed;   // tokens that only the sketch has taken from their lanes
  whole huge[2];  // those beyond its buckets, by sign
  whole bad;
  /// Of tokens whose weight is far from 1: w − 1 would not know it where it is small.
  real weights, square_weights;
  whole far;
};

/// Tokens of a block that are too far off for fp32.
struct odd_tokens {
  float train[block_tokens + width];
  float infer[block_tokens + width];
  std::size_t count = 0;
  std::uint32_t bad = 0;      // not among them
  std::uint32_t unplaced = 0; // not 0: the sketch has yet to take some

  TIKC_TOKEN_TARGET odd_tokens() {} // leaves the arrays alone
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

// Polynomials are summed by halves: a chain of dependent steps would fill the scheduler and leave
// the multipliers idle.

/// (e^x − 1 − x)/x² for |x| <= 1/4, within 3e-8 of itself, so that e^x − 1 − x keeps its digits at
/// any drift and is never negative.
TIKC_TOKEN_STEP real short_series(real x, real square) {
  const real low = fma(splat(0x1.555534p-3F), x, splat(0.5F));
  const real middle = fma(splat(0x1.119336p-7F), x, splat(0x1.555546p-5F));
  return fma(fma(splat(0x1.6c98ep-10F), square, middle), square, low);
}

/// The same for |x| <= 1/2, within 6e-8.
TIKC_TOKEN_STEP real long_series(real x) {
  real y = fma(splat(0x1.a2463ap-13F), x, splat(0x1.6e88dcp-10F));
  y = fma(y, x, splat(0x1.11104p-7F));
  y = fma(y, x, splat(0x1.55538p-5F));
  y = fma(y, x, splat(0x1.555556p-3F));
  return fma(y, x, splat(0.5F));
}

/// x = k·ln 2 + rest; k is in the low bits of `shifted`, from where a shift takes it to the
/// exponent.
struct reduced {
  real shifted;
  real rest;
};

TIKC_TOKEN_STEP reduced reduce(real x) {
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

/// e^x for |x| <= 84, within 2e-7 + 3e-9·|x|, the second for ln 2 in one float.
TIKC_TOKEN_STEP real exponential(real x) {
  const reduced r = reduce(x);
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
  const reduced r = reduce(x);
  const real inner = fma(r.rest * r.rest, long_series(r.rest), r.rest);
  const real scale = as_real(as_whole(splat(1.0F)) + (as_whole(r.shifted) << 23));
  return {fma(scale, inner, scale), fma(scale, inner, scale - splat(1.0F))};
}

/// The top bit of each lane says whether |x| passes the limit or is NaN: floats of one sign are in
/// the order of their bits, and integer units have time that the multipliers lack.
TIKC_TOKEN_STEP whole passes(whole size_bits, float limit) {
  return size_bits + splat(0x7fff'ffffU - buckets::bits(limit));
}

template <class Plan, std::size_t... I>
TIKC_TOKEN_STEP void count_above(lane_state<Plan>& state, [[maybe_unused]] real x,
                                 [[maybe_unused]] lanes kept, std::index_sequence<I...>) {
  ((state.above[I] = tally(state.above[I], both(kept, is_less(splat(Plan::above[I]), x)))), ...);
}
template <class Plan, std::size_t... I>
TIKC_TOKEN_STEP void count_below(lane_state<Plan>& state, [[maybe_unused]] real x,
                                 [[maybe_unused]] lanes kept, std::index_sequence<I...>) {
  ((state.below[I] = tally(state.below[I], both(kept, is_less(x, splat(Plan::below[I]))))), ...);
}
template <class Plan, std::size_t... I>
TIKC_TOKEN_STEP void count_beyond(lane_state<Plan>& state, [[maybe_unused]] real size,
                                  [[maybe_unused]] lanes kept, std::index_sequence<I...>) {
  ((state.beyond[I] = tally(state.beyond[I], both(kept, is_less(splat(Plan::beyond[I]), size)))),
   ...);
}

/// A scatter without a branch. Lanes that have no bucket, tiny or dropped, are counted in the
/// topmost buckets, a different one for each lane so that none waits for another's store; finish()
/// takes them off again. Nothing else reaches those buckets from here: |x| <= 20.
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

/// Places are counted a few vectors after they were written, when the store is done: a load of a
/// part of a vector that is still on its way to the cache waits long on some machines.
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
    take<Plan, token_sum::tv_sampled>(state, lesser(excess, splat(0.0F)));
    if constexpr ((wants & needs_probs) != 0) {
      const real q = exponential(infer);
      real drift = q * excess;
      if constexpr (Wide) {
        drift = select(near, drift, exponential(train) - q);
      }
      put<Plan, token_sum::prob_gap>(state, size_of(drift));
      const real offset = Masked ? select(kept, q - centre, splat(0.0F)) : q - centre;
      put<Plan, token_sum::infer_prob>(state, offset);
      put_product<Plan, token_sum::infer_prob_square>(state, offset, offset);
      put<Plan, token_sum::prob_drift>(state, drift);
      put_product<Plan, token_sum::prob_drift_square>(state, drift, drift);
      put_product<Plan, token_sum::prob_drift_cross>(state, drift, offset);
    }
  }
}

/// Takes the lanes' tokens along, for when the block is done.
TIKC_TOKEN_STEP void gather(odd_tokens& into, real train, real infer, lanes which) {
  if (bits(which) == bits(all_lanes())) {
    store(into.train + into.count, train);
    store(into.infer + into.count, infer);
    into.count += width;
    return;
  }
  float trains[width];
  float infers[width];
  store(trains, train);
  store(infers, infer);
  for (std::uint32_t left = bits(which); left != 0; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    into.train[into.count] = trains[lane];
    into.infer[into.count++] = infers[lane];
  }
}

/// A vector with a token that is far off, or none at all. Lanes without a token are made x = 0 and
/// log q = 0, which adds nothing to any sum; what then still counts lanes looks at `kept`.
template <class Plan>
TIKC_TOKEN_STEP void accumulate_any(lane_state<Plan>& state, odd_tokens& gathered, real train,
                                    real infer, lanes kept, real centre, std::uint32_t* places) {
  const real x = train - infer;
  real sketched = splat(0.0F);
  const lanes usual = both(kept, both(is_at_most(size_of(x), splat(far_limit)),
                                      is_at_most(size_of(infer), splat(logprob_limit))));
  if (const lanes unusual = without(kept, usual); bits(unusual) != 0) {
    const lanes odd = both(both(unusual, is_at_most(x, x)),
                           both(is_less(train, splat(infinity)), is_less(infer, splat(infinity))));
    state.bad = tally(state.bad, without(unusual, odd));
    gather(gathered, train, infer, odd);
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
  const real near = train - infer;
  accumulate<Plan, true, true>(state, train, infer, near, kept, centre, places,
                               select(kept, near, sketched));
}

// Doubles, half as many to a vector.

typedef double twin __attribute__((vector_size(4 * width)));
typedef std::uint64_t twin_bits __attribute__((vector_size(4 * width)));
typedef float half_real __attribute__((vector_size(2 * width)));

TIKC_TOKEN_STEP half_real load_half(const float* from) {
  half_real out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
TIKC_TOKEN_STEP twin as_twin(half_real x) { return __builtin_convertvector(x, twin); }
TIKC_TOKEN_STEP double total_of(twin x) {
  double values[width / 2];
  std::memcpy(values, &x, sizeof x);
  double out = 0;
  for (double each : values) {
    out += each;
  }
  return out;
}
TIKC_TOKEN_STEP twin twin_size(twin x) { return x < 0 ? -x : x; }

/// e^x within 1.5e-7, infinity beyond double's range; no less than e⁻³⁰⁰, which no sum notices and
/// of which the square is a normal number still.
TIKC_TOKEN_STEP twin exponential_twin(twin x) {
  constexpr double rounder = 0x1.8p52;
  const twin none = twin{};
  twin within = x < none - 300.0 ? none - 300.0 : x;
  within = within > none + 720.0 ? none + 720.0 : within;
  const twin shifted = within * 0x1.71547652b82fep0 + rounder;
  const twin k = shifted - rounder;
  const twin r = (within - k * 0x1.62e42fefp-1) - k * 0x1.473de6af278edp-34;
  twin y = r * (1.0 / 720) + 1.0 / 120;
  y = y * r + 1.0 / 24;
  y = y * r + 1.0 / 6;
  y = y * r + 0.5;
  y = y * r + 1.0;
  y = y * r + 1.0;
  // 2^k in two steps, either of them a normal number. 3071 is 1023 − 2048, and what a shift drops.
  const twin_bits power =
      reinterpret_cast<twin_bits>(shifted) - reinterpret_cast<twin_bits>(none + rounder) + 4096U;
  const twin_bits first = power >> 1U, second = power - first;
  return y * reinterpret_cast<twin>((first + 3071U) << 52U) *
         reinterpret_cast<twin>((second + 3071U) << 52U);
}

/// (e^x − 1 − x)/x², as `long_series`.
TIKC_TOKEN_STEP twin series_twin(twin x) {
  twin y = x * 0x1.a2463ap-13 + 0x1.6e88dcp-10;
  y = y * x + 0x1.11104p-7;
  y = y * x + 0x1.55538p-5;
  y = y * x + 0x1.555556p-3;
  return y * x + 0.5;
}

template <class Plan> struct odd_sums {
  twin sums[token_sum_count];
  twin weights, square_weights, far;
};

template <class Plan, token_sum Which> TIKC_TOKEN_STEP void put(odd_sums<Plan>& into, twin value) {
  if constexpr (wants_sum(Plan::wants, Which)) {
    into.sums[static_cast<std::size_t>(Which)] += value;
  }
}

/// `live`: 1 of a token, 0 of a lane that holds none, where both log-probs are 0.
template <class Plan>
TIKC_TOKEN_STEP void add_odd(odd_sums<Plan>& into, twin x, twin train, twin infer, twin live,
                             double centre) {
  const twin none = twin{};
  const twin size = twin_size(x);
  const auto near = size <= none + 0.5;
  put<Plan, token_sum::gap>(into, x);
  put<Plan, token_sum::gap_size>(into, size);
  put<Plan, token_sum::gap_square>(into, x * x);
  put<Plan, token_sum::infer_logprob>(into, infer);
  put<Plan, token_sum::train_logprob>(into, train);
  if constexpr ((Plan::wants & needs_exponential) != 0) {
    const twin limited = near ? x : none; // infinities would be no numbers
    const twin near_k3 = limited * limited * series_twin(limited);
    const twin w = exponential_twin(x);
    const twin excess = near ? limited + near_k3 : w - 1.0;
    const twin far_k3 = w < none + static_cast<double>(infinity) ? excess - x : w;
    put<Plan, token_sum::k3>(into, near ? near_k3 : far_k3);
    put<Plan, token_sum::tv_sampled>(into, excess < 0 ? -excess : none);
    if constexpr ((Plan::wants & token_want::ratio) != 0) {
      const twin close = near ? excess : none;
      const twin weight = near ? none : w;
      put<Plan, token_sum::excess>(into, close);
      put<Plan, token_sum::excess_square>(into, close * close);
      into.weights += weight;
      into.square_weights += weight * weight;
      into.far += near ? none : none + 1.0;
    }
    if constexpr ((Plan::wants & needs_probs) != 0) {
      const twin q = exponential_twin(infer);
      const twin drift = near ? q * excess : exponential_twin(train) - q;
      const twin offset = (q - centre) * live;
      put<Plan, token_sum::prob_gap>(into, twin_size(drift));
      put<Plan, token_sum::infer_prob>(into, offset);
      put<Plan, token_sum::infer_prob_square>(into, offset * offset);
      put<Plan, token_sum::prob_drift>(into, drift);
      put<Plan, token_sum::prob_drift_square>(into, drift * drift);
      put<Plan, token_sum::prob_drift_cross>(into, drift * offset);
    }
  }
}

/// Σ(w − 1) and Σ(w − 1)² of tokens whose weights were summed as they are: term by term, so that
/// the sums' low parts keep them.
template <class Plan>
TIKC_TOKEN_STEP void add_weights(token_stats<Plan>& stats, double weights, double squares,
                                 double tokens) {
  if (tokens != 0) {
    stats.at(token_sum::excess).add(weights);
    stats.at(token_sum::excess).add(-tokens);
    stats.at(token_sum::excess_square).add(squares);
    if (std::isfinite(squares)) { // else it stays so
      stats.at(token_sum::excess_square).add(-2 * weights);
      stats.at(token_sum::excess_square).add(tokens);
    }
  }
}

template <class Plan, std::size_t... I>
TIKC_TOKEN_STEP void flush(token_stats<Plan>& stats, const odd_sums<Plan>& from,
                           std::index_sequence<I...>) {
  ((wants_sum(Plan::wants, static_cast<token_sum>(I)) ? stats.sums[I].add(total_of(from.sums[I]))
                                                      : void()),
   ...);
}

template <class Plan>
TIKC_TOKEN_TARGET __attribute__((noinline)) void finish_odd(token_stats<Plan>& stats,
                                                            odd_tokens& odd, block_totals& block) {
  for (std::size_t i = odd.count; i < odd.count + width; ++i) {
    odd.train[i] = odd.infer[i] = 0;
  }
  odd_sums<Plan> sums;
  std::memset(&sums, 0, sizeof sums);
  constexpr std::size_t step = width / 2;
  const twin all = twin{} + 1.0;
  const double centre = static_cast<double>(stats.centre);
  for (std::size_t i = 0; i < odd.count; i += step) {
    const half_real train = load_half(odd.train + i), infer = load_half(odd.infer + i);
    twin live = all;
    for (std::size_t lane = odd.count - i; lane < step; ++lane) {
      live[lane] = 0;
    }
    add_odd<Plan>(sums, as_twin(train - infer), as_twin(train), as_twin(infer), live, centre);
  }
  flush(stats, sums, std::make_index_sequence<token_sum_count>{});
  if constexpr (wants_sum(Plan::wants, token_sum::gap)) {
    block.gap += total_of(sums.sums[0]);
  }
  if constexpr ((Plan::wants & token_want::ratio) != 0) {
    add_weights(stats, total_of(sums.weights), total_of(sums.square_weights), total_of(sums.far));
  }
  if constexpr ((Plan::wants & token_want::sketch) != 0) {
    for (std::size_t i = 0; i < odd.count && odd.unplaced != 0; ++i) {
      const float x = odd.train[i] - odd.infer[i];
      const float size = x < 0 ? -x : x;
      if (size >= placed_limit && size < buckets::huge) {
        stats.sketch.add(x);
      }
    }
  }
  block.count += odd.count;
  if (odd.bad != 0) {
    stats.add_bad(odd.bad);
    block.add_bad(odd.bad);
  }
}

/// Masks come in runs: most vectors are wholly in or out, and those cost no select.
template <class Plan>
TIKC_TOKEN_STEP void visit(lane_state<Plan>& state, odd_tokens& odd, real train, real infer,
                           lanes kept, real centre, std::uint32_t* places) {
  const bool is_whole = bits(kept) == bits(all_lanes());
  if (!is_whole) {
    train = select(kept, train, splat(0.0F));
    infer = select(kept, infer, splat(0.0F));
  }
  const real x = train - infer;
  constexpr bool near = (Plan::wants & needs_exponential) != 0;
  whole unusual = passes(as_whole(size_of(x)), near ? near_limit : far_limit);
  if constexpr ((Plan::wants & (needs_probs | token_want::logprobs)) != 0) {
    unusual |= passes(as_whole(size_of(infer)), logprob_limit);
  }
  if (__builtin_expect(any_top_bit(unusual), 0)) {
    accumulate_any<Plan>(state, odd, train, infer, kept, centre, places);
  } else if (__builtin_expect(is_whole, 1)) {
    accumulate<Plan, false, false>(state, train, infer, x, kept, centre, places, x);
  } else {
    accumulate<Plan, true, false>(state, train, infer, x, kept, centre, places, x);
  }
}

template <class Plan, std::size_t... I>
TIKC_TOKEN_STEP void clear(lane_state<Plan>& state, std::index_sequence<I...>) {
  ((state.sums[I] = splat(0.0F)), ...);
}
template <std::size_t... I> TIKC_TOKEN_STEP void clear(whole* counts, std::index_sequence<I...>) {
  ((counts[I] = splat(0U)), ...);
}
template <std::size_t N, std::size_t... I>
TIKC_TOKEN_STEP void flush(std::array<std::uint64_t, N>& into, [[maybe_unused]] const whole* counts,
                           std::index_sequence<I...>) {
  ((into[I] += total(counts[I])), ...);
}
template <class Plan, token_sum Which>
TIKC_TOKEN_STEP void flush(token_stats<Plan>& stats, const lane_state<Plan>& state) {
  if constexpr (wants_sum(Plan::wants, Which) && Which != token_sum::train_logprob) {
    stats.at(Which).add(static_cast<double>(total(state.sums[static_cast<std::size_t>(Which)])));
  }
}
template <class Plan, std::size_t... I>
TIKC_TOKEN_STEP void flush(token_stats<Plan>& stats, const lane_state<Plan>& state,
                           std::index_sequence<I...>) {
  (flush<Plan, static_cast<token_sum>(I)>(stats, state), ...);
}

template <class Plan>
TIKC_TOKEN_STEP void finish(token_stats<Plan>& stats, const lane_state<Plan>& state,
                            block_totals& block, [[maybe_unused]] std::uint16_t* counts) {
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
  flush(stats.above, state.above, std::make_index_sequence<Plan::above.size()>{});
  flush(stats.below, state.below, std::make_index_sequence<Plan::below.size()>{});
  flush(stats.beyond, state.beyond, std::make_index_sequence<Plan::beyond.size()>{});
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

template <class Plan>
TIKC_TOKEN_TARGET block_totals pass(token_stats<Plan>& stats, const float* train,
                                    const float* infer, const std::uint8_t* mask,
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
    visit<Plan>(state, odd, full ? load(train + i) : load_part(train + i, left),
                full ? load(infer + i) : load_part(infer + i, left), kept, centre, places);
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
    finish_odd(stats, odd, block);
  }
  finish(stats, state, block, counts);
  return block;
}

#undef TIKC_TOKEN_STEP
