// Tokens that are too far off for fp32, in doubles. Included by token_kernel.h at each of its
// places.

// Vectors of doubles, with half as many lanes.

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

/// Returns e^x with a relative error of 1.5e-7, and infinity beyond double's range. The least
/// result is e⁻³⁰⁰, which is negligible in sums and has a normal square.
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
  // Computes 2^k in two steps that are both normal numbers. 3071 is 1023 − 2048 + 4096; the shift
  // drops the 4096.
  const twin_bits power =
      reinterpret_cast<twin_bits>(shifted) - reinterpret_cast<twin_bits>(none + rounder) + 4096U;
  const twin_bits first = power >> 1U, second = power - first;
  return y * reinterpret_cast<twin>((first + 3071U) << 52U) *
         reinterpret_cast<twin>((second + 3071U) << 52U);
}

/// Returns (e^x − 1 − x)/x², like `long_series`.
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

/// Adds tokens. `live` is 1 for a token, and 0 for an empty lane, whose log-probs are 0.
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
    const twin limited = near ? x : none; // infinities would give NaN
    const twin near_k3 = limited * limited * series_twin(limited);
    const twin w = exponential_twin(x);
    const twin excess = near ? limited + near_k3 : w - 1.0;
    const twin far_k3 = w < none + static_cast<double>(infinity) ? excess - x : w;
    put<Plan, token_sum::k3>(into, near ? near_k3 : far_k3);
    const twin loss = excess < 0 ? -excess : none;
    put<Plan, token_sum::tv_sampled>(into, loss);
    put<Plan, token_sum::tv_square>(into, loss * loss);
    if constexpr ((Plan::wants & token_want::mult_prob_error) != 0) {
      const twin least = near ? size : none;
      put<Plan, token_sum::size_excess>(into, near ? least + least * least * series_twin(least)
                                                   : exponential_twin(size) - 1.0);
    }
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
      put<Plan, token_sum::prob_gap_square>(into, drift * drift);
      put<Plan, token_sum::infer_prob>(into, offset);
      put<Plan, token_sum::infer_prob_square>(into, offset * offset);
      put<Plan, token_sum::prob_drift>(into, drift);
      put<Plan, token_sum::prob_drift_square>(into, drift * drift);
      put<Plan, token_sum::prob_drift_cross>(into, drift * offset);
    }
  }
}

/// Adds Σ(w − 1) and Σ(w − 1)² of tokens whose plain weights were summed. It adds term by term, so
/// that the sums' low parts keep the digits.
template <class Stats>
TIKC_TOKEN_STEP void add_weights(Stats& stats, double weights, double squares, double tokens) {
  if (tokens != 0) {
    stats.at(token_sum::excess).add(weights);
    stats.at(token_sum::excess).add(-tokens);
    stats.at(token_sum::excess_square).add(squares);
    if (std::isfinite(squares)) { // else it stays infinite or NaN
      stats.at(token_sum::excess_square).add(-2 * weights);
      stats.at(token_sum::excess_square).add(tokens);
    }
  }
}

template <class Plan, class Stats, std::size_t... At>
TIKC_TOKEN_STEP void flush(Stats& stats, const odd_sums<Plan>& from, std::index_sequence<At...>) {
  ((wants_sum(Plan::wants, static_cast<token_sum>(At)) ? stats.sums[At].add(total_of(from.sums[At]))
                                                       : void()),
   ...);
}

template <class Plan, class Stats>
TIKC_TOKEN_TARGET __attribute__((noinline)) void finish_odd(Stats& stats, odd_tokens& odd,
                                                            block_totals& block) {
  for (std::size_t i = odd.count; i < odd.count + width; ++i) {
    odd.train[i] = odd.infer[i] = odd.gap[i] = 0;
  }
  odd_sums<Plan> sums;
  std::memset(&sums, 0, sizeof sums);
  constexpr std::size_t step = width / 2;
  const twin all = twin{} + 1.0;
  const double centre = static_cast<double>(stats.centre);
  for (std::size_t i = 0; i < odd.count; i += step) {
    const half_real train = load_half(odd.train + i), infer = load_half(odd.infer + i);
    const half_real gap = load_half(odd.gap + i);
    twin live = all;
    for (std::size_t lane = odd.count - i; lane < step; ++lane) {
      live[lane] = 0;
    }
    add_odd<Plan>(sums, as_twin(gap), as_twin(train), as_twin(infer), live, centre);
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
      const float x = odd.gap[i];
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
