// Functions for a vector of pairs: exponentials and powers, reading of logits, and statistics of
// raw logits. Included by row_kernels.h at each of its places.

/// Returns e^x for x < 88, with a relative error of 3e-7. Returns 0 for NaN, and for x ≤ −80, which
/// is negligible in sums over a vocabulary.
[[gnu::always_inline]] inline floats exponential(floats x) {
  constexpr float floor = -80.0F;
  const floats log2_e = all(1.44269504F);
  // Adding it puts the nearest integer into the low bits of the fraction.
  const floats rounder = all(0x1.8p23F);
  floats above = larger(x, all(floor));
  floats rounded = fused(above, log2_e, rounder);
  floats fraction = fused(above, log2_e, rounder - rounded);
  floats value = fused(all(0x1.5ec866p-10F), fraction, all(0x1.3cbf60p-7F));
  value = fused(value, fraction, all(0x1.c6afeep-5F));
  value = fused(value, fraction, all(0x1.ebfa4cp-3F));
  value = fused(value, fraction, all(0x1.62e430p-1F));
  value = fused(value, fraction, all(1.0F));
  return select(is_less(all(floor), x), scaled_by_power(value, rounded), all(0.0F));
}

/// Returns e^x for −87 < x < 1, with a relative error of 3e-7, without clamping x. For other x and
/// NaN, the result is unspecified, and `has_strays` detects it from `strays`.
[[gnu::always_inline]] inline floats decay(floats x, floats& strays) {
  const floats log2_e = all(-1.44269504F);
  // Adding it puts n + 1 into the low seven bits, for 2⁻ⁿ, and leaves the other bits as they are.
  const floats rounder = all(0x1.000002p23F);
  floats rounded = fused(x, log2_e, rounder);
  floats fraction = fused(x, log2_e, rounder - rounded);
  floats value = fused(all(-0x1.5ec866p-9F), fraction, all(0x1.3cbf60p-6F));
  value = fused(value, fraction, all(-0x1.c6afeep-4F));
  value = fused(value, fraction, all(0x1.ebfa4cp-2F));
  value = fused(value, fraction, all(-0x1.62e430p0F));
  value = fused(value, fraction, all(2.0F));
  strays = differing(strays, rounded, rounder);
  return lowered_by_power(value, rounded);
}
[[gnu::always_inline]] inline bool has_strays(floats strays) { return has_bits(strays, ~0x7fU); }

/// Returns the largest logit, ignoring NaN.
inline float peak_of(row_view row, std::size_t tokens) {
  floats peak = all(-infinity);
  for (std::size_t i = 0; i < tokens; i += lanes)
    peak = larger(load(row, i), peak);
  return largest(peak);
}

/// Returns c₀ + c₁x + …
template <std::size_t K = 0, std::size_t N>
[[gnu::always_inline]] inline floats polynomial(const double (&coefficients)[N], floats x) {
  if constexpr (K + 1 == N)
    return all(static_cast<float>(coefficients[K]));
  else
    return fused(polynomial<K + 1>(coefficients, x), x, all(static_cast<float>(coefficients[K])));
}

/// Sets powers[k] = powers[0]·xᵏ. It recurses, since an array stays in registers only if every
/// index is a constant.
template <std::size_t K = 1, std::size_t N>
[[gnu::always_inline]] inline void raise(floats (&powers)[N], floats x) {
  if constexpr (K < N) {
    powers[K] = powers[K - 1] * x;
    raise<K + 1>(powers, x);
  }
}

template <std::size_t K = 0, std::size_t N>
[[gnu::always_inline]] inline void accumulate(floats (&sums)[N], const floats (&terms)[N]) {
  if constexpr (K < N) {
    sums[K] = sums[K] + terms[K];
    accumulate<K + 1>(sums, terms);
  }
}

template <std::size_t K = 0, std::size_t N>
[[gnu::always_inline]] inline void total(const floats (&sums)[N], double (&totals)[N]) {
  if constexpr (K < N) {
    totals[K] = sum(sums[K]);
    total<K + 1>(sums, totals);
  }
}

template <std::size_t K = 0, std::size_t N>
[[gnu::always_inline]] inline void clear(floats (&sums)[N]) {
  if constexpr (K < N) {
    sums[K] = all(0.0F);
    clear<K + 1>(sums);
  }
}

struct token_pair {
  floats train, infer; // z, z′
  floats log_train;    // log p̂
  floats log_infer;    // log q̂, for masked readings
  floats x;
  mask train_alive, infer_alive, alive; // for masked readings: neither masked nor invalid
  doubles gap, exact_x;                 // for exact readings: z′ − z minus the frame's, and x
};

template <reading Mode> struct pair_reader {
  static constexpr bool masks = Mode >= reading::masked;
  row_view train, infer;
  std::size_t train_bytes, infer_bytes; // of a logit
  floats top, other, centre, scale, level;
  doubles exact_top, exact_other, train_scale, infer_scale, apart, apart_rest, residue;
  bool is_alike, is_near;

  /// Reads x minus the shift, and log p̂ minus the level.
  [[gnu::always_inline]] pair_reader(const row_block& block, const row_frame& frame, double shift,
                                     double log_level)
      : train(block.train), infer(block.infer), train_bytes(bytes_of(train.format)),
        infer_bytes(bytes_of(infer.format)),
        top(all(Mode == reading::exact && !frame.is_alike()
                    ? frame.top
                    : static_cast<float>(static_cast<double>(frame.top) +
                                         log_level / frame.train_scale))),
        other(all(frame.other)), centre(all(static_cast<float>(frame.centre()))),
        scale(all(static_cast<float>(frame.train_scale))),
        level(all(static_cast<float>(log_level))),
        exact_top(all_exact(static_cast<double>(frame.top))),
        exact_other(all_exact(static_cast<double>(frame.other))),
        train_scale(all_exact(frame.train_scale)), infer_scale(all_exact(frame.infer_scale)),
        apart(all_exact(frame.apart().high)), apart_rest(all_exact(frame.apart().low)),
        residue(all_exact(frame.residue + shift)), is_alike(frame.is_alike()),
        is_near(std::fabs(frame.apart().high) <= 0x1p13) {}

  /// Prefetches, because hardware prefetchers restart at each page.
  [[gnu::always_inline]] void prefetch(std::size_t i) const {
    constexpr std::uintptr_t ahead = 3072;
    detail::prefetch(train.data, i * train_bytes + ahead);
    detail::prefetch(infer.data, i * infer_bytes + ahead);
  }

  [[gnu::always_inline]] token_pair at(std::size_t i) const {
    token_pair pair;
    if constexpr (Mode == reading::bf16) {
      pair.train = load_bf16(train, i);
      pair.infer = load_bf16(infer, i);
    } else {
      pair.train = load(train, i);
      pair.infer = load(infer, i);
    }
    if constexpr (masks) {
      weed(pair);
    } else if constexpr (Mode == reading::scaled) {
      pair.log_train = (pair.train - top) * scale;
      pair.x = fused(pair.infer - pair.train, scale, -centre);
    } else {
      pair.log_train = pair.train - top;
      pair.x = (pair.infer - pair.train) - centre;
    }
    return pair;
  }

  [[gnu::always_inline]] void weed(token_pair& pair) const {
    const floats masked = all(-infinity), ceiling = all(infinity);
    // Both comparisons are false for NaN.
    pair.train_alive = both(is_less(masked, pair.train), is_less(pair.train, ceiling));
    pair.infer_alive = both(is_less(masked, pair.infer), is_less(pair.infer, ceiling));
    pair.alive = both(pair.train_alive, pair.infer_alive);
    floats z = select(pair.train_alive, pair.train, top);
    floats w = select(pair.infer_alive, pair.infer, other);
    if constexpr (Mode == reading::exact) {
      measure(pair, widen(z), widen(w));
      pair.x = select(pair.infer_alive, bounded(narrow(pair.exact_x)), all(0.0F));
    } else {
      pair.x = select(pair.infer_alive, fused(w - z, scale, -centre), all(0.0F));
    }
    if (Mode != reading::exact || is_alike) {
      pair.log_train = bounded((z - top) * scale);
      pair.log_infer = bounded((w - other) * scale);
    } else {
      pair.log_train = bounded(narrow((widen(z) - exact_top) * train_scale)) - level;
      pair.log_infer = bounded(narrow((widen(w) - exact_other) * infer_scale));
    }
  }

  /// Computes the gap with a double's precision, however far apart the rows are, and however far
  /// below its peak the token is.
  [[gnu::always_inline]] void measure(token_pair& pair, doubles z, doubles w) const {
    doubles high = w - z;
    if (is_near) {
      pair.gap = high - apart;
    } else { // a double lacks the digits of z′ − z, but two doubles have them
      doubles took = high - w, low = (w - (high - took)) - (z + took);
      pair.gap = (high - apart) + (low - apart_rest);
    }
    if (is_alike)
      pair.exact_x = pair.gap * train_scale - residue;
    else
      pair.exact_x = ((w - exact_other) * infer_scale - (z - exact_top) * train_scale) - residue;
  }

  /// Returns log(p̂²/q̂) up to the shift; rather too large than too small if log p̂ exceeds
  /// double's precision.
  [[gnu::always_inline]] doubles log_excess(const token_pair& pair) const {
    doubles z = widen(select(pair.train_alive, pair.train, top));
    token_pair exact;
    measure(exact, z, widen(select(pair.infer_alive, pair.infer, other)));
    return (z - exact_top) * train_scale * all_exact(1 - 0x1p-48) - exact.exact_x;
  }

  /// Clamps far beyond where it matters, because products of infinity with 0 are NaN.
  [[gnu::always_inline]] static floats bounded(floats a) {
    const floats limit = all(0x1p126F);
    return larger(smaller(a, limit), -limit);
  }
};

/// The range of drifts in double. Masked tokens are neither the lowest nor the highest.
struct exact_spread {
  doubles low = all_exact(std::numeric_limits<double>::infinity());
  doubles high = all_exact(-std::numeric_limits<double>::infinity());

  [[gnu::always_inline]] exact_spread() {}
  [[gnu::always_inline]] void add(doubles a, doubles away) {
    low = smaller(a + away, low);
    high = larger(a - away, high);
  }
  [[gnu::always_inline]] spread result() const {
    return {-largest(all_exact(0) - low), largest(high)};
  }
};

/// Returns an upper bound of the inference's logit, with the rounding error of a drift.
inline double highest_infer(float train, double drift) {
  return static_cast<double>(train) + drift + 0x1p-23 * std::fabs(drift);
}

/// The statistics of raw logits, by lanes.
template <std::uint32_t Wants, reading Mode> struct raw_lanes {
  static constexpr bool Masks = Mode >= reading::masked, is_exact = Mode == reading::exact;
  static constexpr bool ranges =
      (Wants & row_ranged) != 0 || (!Masks && (Wants & row_weighed) != 0);
  static constexpr bool margins = (Wants & row_want::top1_margin) != 0;
  /// Whether to search for the inference's largest logit. The drifts bound how far it is above the
  /// trainer's, so few blocks can have a new largest one.
  static constexpr bool searches = ranges && !Masks && !margins;
  floats low, high;
  exact_spread gap;
  doubles squares_exact;
  floats squares, relative, any_fault;
  floats train_first, train_second, infer_first, infer_second;

  // Written out, since an implicit constructor lacks the target.
  [[gnu::always_inline]] raw_lanes()
      : low(all(infinity)), high(all(-infinity)), squares_exact(all_exact(0)), squares(all(0.0F)),
        relative(all(0.0F)), any_fault(all(0.0F)), train_first(all(-infinity)),
        train_second(all(-infinity)), infer_first(all(-infinity)), infer_second(all(-infinity)) {}

  [[gnu::always_inline]] void add(const token_pair& pair) {
    floats drift = pair.infer - pair.train;
    if constexpr (Masks)
      drift = select(pair.alive, drift, all(0.0F));
    if constexpr (ranges) {
      // Accumulators are the second operand: if an operand is NaN, the second is the result.
      if constexpr (is_exact) {
        gap.add(pair.gap, widen(select(pair.alive, all(0.0F), all(infinity))));
      } else {
        low = smaller(Masks ? select(pair.alive, drift, low) : drift, low);
        high = larger(Masks ? select(pair.alive, drift, high) : drift, high);
      }
    }
    if constexpr ((Wants & row_want::logit_l2) != 0) {
      if constexpr (Masks) {
        // fp32 would overflow.
        doubles exact = widen(select(pair.alive, pair.infer, all(0.0F))) -
                        widen(select(pair.alive, pair.train, all(0.0F)));
        squares_exact = squares_exact + exact * exact;
      } else {
        squares = fused(drift, drift, squares);
      }
    }
    if constexpr ((Wants & row_want::logit_rel) != 0) {
      floats size = magnitude(drift), reference = larger(magnitude(pair.train), all(1.0F));
      if constexpr (Masks) { // halves, as a drift may exceed fp32
        floats half = magnitude(pair.infer * all(0.5F) - pair.train * all(0.5F));
        size = select(pair.alive, half, all(0.0F));
        reference = reference * all(0.5F);
      }
      relative = larger(size / reference, relative);
    }
    if constexpr (!Masks && (Wants & row_weighed) == 0)
      any_fault = fused(drift, all(0.0F), any_fault);
    lead(pair.train, train_first, train_second);
    if constexpr (!searches)
      lead(pair.infer, infer_first, infer_second);
  }

  [[gnu::always_inline]] static void lead(floats value, floats& first, floats& second) {
    if constexpr (margins)
      second = larger(smaller(value, first), second);
    first = larger(value, first);
  }

  [[gnu::always_inline]] static leaders leading(floats first, floats second) {
    leaders out;
    if constexpr (margins) {
      float firsts[lanes], seconds[lanes];
      store(firsts, first);
      store(seconds, second);
      for (std::size_t i = 0; i < lanes; ++i)
        out.merge({firsts[i], seconds[i]});
    } else {
      out.first = largest(first);
    }
    return out;
  }

  /// If it searches, omits the inference's largest logit unless it may be new.
  [[gnu::always_inline]] raw_drift result(const row_block& block, const row_frame& frame) const {
    raw_drift out;
    spread drift;
    if constexpr (ranges) {
      if constexpr (is_exact) {
        out.gap = gap.result();
      } else {
        drift = {-static_cast<double>(largest(-low)), static_cast<double>(largest(high))};
        out.gap = drift.moved(-frame.apart().high);
      }
    }
    if constexpr ((Wants & row_want::logit_l2) != 0)
      out.squares = Masks ? sum(squares_exact) : sum(squares);
    if constexpr ((Wants & row_want::logit_rel) != 0)
      out.relative = largest(relative);
    out.train = leading(train_first, train_second);
    if constexpr (!searches)
      out.infer = leading(infer_first, infer_second);
    else if (!(highest_infer(out.train.first, drift.high) < static_cast<double>(block.infer_peak)))
      out.infer.first = peak_of(block.infer, block.tokens);
    return out;
  }
};
