// Included once per instruction set, inside its namespace, after its vectors and under its target
// options. A function has the target under which it is defined, and helpers are inlined only into
// functions of the same target. So this file has no include guard, and includes only files of the
// same kind.

#include "tikc/detail/row_pairs.h"

struct row_kernels {
  /// Returns the first token with this logit.
  static std::size_t find(row_view row, std::size_t tokens, float value) {
    std::size_t i = 0;
    while (i + lanes < tokens && count(is_equal(load(row, i), all(value))) == 0)
      i += lanes;
    while (i + 1 < tokens && !(value_at(row, i) == value))
      ++i;
    return i;
  }

  /// The first pass over a block whose drifts are within the tier's.
  template <std::uint32_t Wants, drift_tier Tier, reading Mode>
  static first_pass weigh(const row_block& block, const row_frame& frame) {
    using series = row_series<Tier>;
    constexpr std::size_t terms = length(series::sinh);
    constexpr bool weighs = (Wants & row_weighed) != 0, masks = Mode >= reading::masked;
    const std::size_t tokens = block.tokens;
    float* const weights = block.weights;
    pair_reader<Mode> reader(block, frame, 0, 0);
    raw_lanes<Wants, Mode> raw;
    floats moments[2 * terms];
    clear(moments);
    floats low = all(infinity), high = all(-infinity), level = all(0.0F), strays = all(0.0F);
    const mask always = is_equal(low, low);
    mask alive = always, sound = always;
    for (std::size_t i = 0; i < tokens; i += lanes) {
      reader.prefetch(i);
      token_pair pair = reader.at(i);
      raw.add(pair);
      if constexpr (masks) {
        low = select(pair.alive, smaller(pair.x, low), low);
        high = select(pair.alive, larger(pair.x, high), high);
        alive = both(alive, pair.alive);
        const floats masked = all(-infinity);
        sound = both(sound, either(pair.alive, both(is_equal(pair.train, masked),
                                                    is_equal(pair.infer, masked))));
      }
      if constexpr (weighs) {
        floats log_weight = fused(pair.x, all(0.5F), pair.log_train);
        floats weight;
        if constexpr (masks)
          weight = select(pair.alive, exponential(log_weight), all(0.0F));
        else
          weight = decay(log_weight, strays);
        if constexpr ((Wants & row_compared) != 0)
          store(weights + i, weight);
        if constexpr ((Wants & row_want::entropy_gap) != 0)
          level = fused(weight, log_weight, level);
        floats powers[2 * terms] = {weight};
        raise(powers, pair.x);
        accumulate(moments, powers);
      }
    }
    first_pass out;
    out.raw = raw.result(block, frame);
    if constexpr (weighs) {
      double totals[2 * terms];
      total(moments, totals);
      double sine = 0, cosine = 0;
      for (std::size_t k = 0; k < terms; ++k) {
        cosine += series::cosh[k] * totals[2 * k];
        sine += series::sinh[k] * totals[2 * k + 1];
      }
      out.weights = {(cosine - sine) / 2, (cosine + sine) / 2, sine, sum(level)};
      out.finite = std::isfinite(sine) && std::isfinite(cosine) && (masks || !has_strays(strays));
    } else if constexpr (!masks) {
      out.finite = std::isfinite(sum(raw.any_fault)) && std::isfinite(out.raw.squares);
    }
    if constexpr (masks) {
      out.shift = {-static_cast<double>(largest(-low)), static_cast<double>(largest(high))};
      out.masked = count(alive) != lanes;
      out.finite = count(sound) == lanes;
    } else {
      out.shift = {out.raw.gap.low * frame.train_scale - frame.residue,
                   out.raw.gap.high * frame.train_scale - frame.residue};
    }
    return out;
  }

  /// Counts invalid logits, and replaces them by masks.
  static void blame(token_pair& pair, row_faults& faults) {
    const floats masked = all(-infinity);
    mask train_masked = is_equal(pair.train, masked), infer_masked = is_equal(pair.infer, masked);
    std::size_t masks = count(train_masked) + count(infer_masked);
    std::size_t spoilt = 2 * lanes - count(pair.train_alive) - count(pair.infer_alive) - masks;
    std::size_t alone = masks - 2 * count(both(train_masked, infer_masked));
    faults.spoilt += static_cast<std::uint32_t>(spoilt);
    faults.nonfinite += static_cast<std::uint32_t>(spoilt + alone);
    faults.train_only += static_cast<std::uint32_t>(count(both(pair.train_alive, infer_masked)));
    faults.infer_only += static_cast<std::uint32_t>(count(both(train_masked, pair.infer_alive)));
    pair.train = select(pair.train_alive, pair.train, masked);
    pair.infer = select(pair.infer_alive, pair.infer, masked);
  }

  /// The first pass over a block with any drifts, masks and faults.
  template <std::uint32_t Wants, reading Mode>
  static first_pass weigh_wide(const row_block& block, const row_frame& frame) {
    constexpr bool weighs = (Wants & row_weighed) != 0;
    using series = row_series<drift_tier::medium>;
    const std::size_t tokens = block.tokens;
    const floats none = all(0.0F), half = all(0.5F);
    pair_reader<Mode> reader(block, frame, 0, 0);
    raw_lanes<Wants, Mode> raw;
    exact_spread exact_shift;
    floats low = all(infinity), high = all(-infinity);
    floats train = none, infer = none, excess = none, level = none;
    first_pass out;
    for (std::size_t i = 0; i < tokens; i += lanes) {
      reader.prefetch(i);
      token_pair pair = reader.at(i);
      const bool whole = count(pair.alive) == lanes;
      if (!whole) {
        blame(pair, out.faults);
        out.masked = true;
      }
      raw.add(pair);
      if constexpr (weighs) {
        if constexpr (Mode == reading::exact) {
          exact_shift.add(pair.exact_x, widen(select(pair.alive, none, all(infinity))));
        } else {
          low = select(pair.alive, smaller(pair.x, low), low);
          high = select(pair.alive, larger(pair.x, high), high);
          pair.x = reader.bounded(pair.x);
        }
        mask is_near = both(pair.alive, is_less(magnitude(pair.x), all(series::reach)));
        const std::size_t near = count(is_near);
        floats sine = none;
        if (near != 0) {
          floats log_weight = fused(pair.x, half, pair.log_train), square = pair.x * pair.x;
          floats weight = select(is_near, exponential(log_weight), none);
          level = fused(weight, log_weight, level);
          sine = weight * (pair.x * polynomial(series::sinh, square));
          if (near == lanes) {
            floats cosine = weight * polynomial(series::cosh, square);
            train = fused(cosine - sine, half, train);
            infer = fused(cosine + sine, half, infer);
            excess = excess + sine;
            continue;
          }
        }
        floats p = select(pair.train_alive, exponential(pair.log_train), none);
        floats q = select(pair.infer_alive, exponential(pair.log_infer), none);
        train = train + p;
        infer = infer + q;
        excess = excess + select(is_near, sine, q - p);
      }
    }
    out.raw = raw.result(block, frame);
    if constexpr (!weighs)
      out.shift = out.raw.gap;
    else if constexpr (Mode == reading::exact)
      out.shift = exact_shift.result();
    else
      out.shift = {-static_cast<double>(largest(-low)), static_cast<double>(largest(high))};
    out.weights = {sum(train), sum(infer), sum(excess), sum(level)};
    return out;
  }

  /// The second pass over a block whose drifts, minus the row's shift, are within the tier's.
  template <std::uint32_t Wants, drift_tier Tier, reading Mode>
  static divergences compare(const row_block& block, const row_normal& normal) {
    using series = row_series<Tier>;
    constexpr std::size_t order = order_of<series>((Wants & row_want::chi2) != 0);
    constexpr bool signs = (Wants & (row_want::tv | row_want::entropy_gap)) != 0;
    const std::size_t tokens = block.tokens;
    const float* const weights = block.weights;
    pair_reader<Mode> reader(block, normal.frame, normal.shift, normal.level);
    const floats shift = all(static_cast<float>(normal.shift));
    floats moments[order + 1];
    clear(moments);
    floats distance = all(0.0F), entropy = all(0.0F);
    for (std::size_t i = 0; i < tokens; i += lanes) {
      token_pair pair = reader.at(i);
      floats y = Mode == reading::exact ? pair.x : pair.x - shift;
      floats powers[order + 1] = {load(weights + i)};
      raise(powers, y);
      accumulate(moments, powers);
      if constexpr (signs) {
        floats gain = odd<series>(powers);
        distance = distance + magnitude(gain);
        if constexpr ((Wants & row_want::entropy_gap) != 0)
          entropy = fused(gain, fused(y, all(0.5F), pair.log_train), entropy);
      }
    }
    return combine<Wants, series>(moments, distance, entropy);
  }

  /// Returns q − p from the powers of y.
  template <class Series, std::size_t N>
  [[gnu::always_inline]] static floats odd(const floats (&powers)[N]) {
    floats out = fused(powers[3], all(static_cast<float>(Series::sinh[1])), powers[1]);
    if constexpr (length(Series::sinh) > 2) {
      out = fused(powers[5], all(static_cast<float>(Series::sinh[2])), out);
      out = fused(powers[7], all(static_cast<float>(Series::sinh[3])), out);
    }
    return out;
  }

  template <std::uint32_t Wants, class Series, std::size_t N>
  [[gnu::always_inline]] static divergences combine(const floats (&moments)[N], floats distance,
                                                    floats entropy) {
    divergences out;
    if constexpr ((Wants & row_want::tv) != 0)
      out.distance = sum(distance);
    if constexpr ((Wants & row_want::entropy_gap) != 0)
      out.entropy = sum(entropy);
    if constexpr ((Wants & row_moments) != 0) {
      double totals[N];
      total(moments, totals);
      for (std::size_t k = 2; k < length(Series::kl) + 2; ++k) {
        out.hellinger += Series::hellinger[k - 2] * totals[k];
        out.kl_train_infer += Series::kl[k - 2] * totals[k];
        out.kl_infer_train += mirrored(Series::kl[k - 2], k) * totals[k];
        out.js += Series::js[k - 2] * totals[k];
        out.entropy += Series::entropy[k - 2] * totals[k];
      }
      if constexpr ((Wants & row_want::chi2) != 0)
        for (std::size_t k = 2; k < N; ++k)
          out.chi2 += Series::chi2[k - 2] * totals[k];
    }
    return out;
  }

  /// The second pass over a block with any drifts, masks and faults. Its results are in units of 1.
  template <std::uint32_t Wants, reading Mode>
  static divergences compare_wide(const row_block& block, const row_normal& normal) {
    using series = row_series<drift_tier::medium>;
    const std::size_t tokens = block.tokens;
    pair_reader<Mode> reader(block, normal.frame, normal.shift, 0);
    const floats shift = all(static_cast<float>(normal.shift));
    const floats log_train = all(static_cast<float>(normal.log_train));
    const floats log_infer = all(static_cast<float>(normal.log_infer));
    const floats none = all(0.0F), half = all(0.5F);
    // The level of normalised log-probs. The far level subtracts 1, since a far token adds q log q
    // − p log p − (q − p).
    const floats level = all(static_cast<float>(normal.level - normal.log_train));
    const floats far_level = level + all(1.0F);
    floats distance = none, hellinger = none, forward = none, backward = none, js = none;
    floats chi2 = none, entropy = none, missing = none;
    const doubles nought = all_exact(0), exact_log_train = all_exact(normal.log_train);
    bool is_endless = false;
    doubles far_forward = nought, far_backward = nought, far_chi2 = nought;
    for (std::size_t i = 0; i < tokens; i += lanes) {
      reader.prefetch(i);
      token_pair pair = reader.at(i);
      floats y = Mode == reading::exact ? pair.x : reader.bounded(pair.x - shift);
      floats log_p = pair.log_train - log_train, log_q = pair.log_infer - log_infer;
      mask near = both(pair.alive, is_less(magnitude(y), all(series::reach)));
      if (count(near) != 0) {
        floats near_y = select(near, y, none), middle = fused(y, half, log_p);
        floats weight = select(near, exponential(middle), none) * near_y;
        floats gain = weight * polynomial(series::sinh, near_y * near_y);
        weight = weight * near_y;
        distance = distance + magnitude(gain);
        if constexpr ((Wants & row_want::hellinger) != 0)
          hellinger = fused(weight, polynomial(series::hellinger, near_y), hellinger);
        if constexpr ((Wants & row_want::kl_train_infer) != 0)
          forward = fused(weight, polynomial(series::kl, near_y), forward);
        if constexpr ((Wants & row_want::kl_infer_train) != 0)
          backward = fused(weight, polynomial(series::kl, -near_y), backward);
        if constexpr ((Wants & row_want::js) != 0)
          js = fused(weight, polynomial(series::js, near_y), js);
        if constexpr ((Wants & row_want::chi2) != 0)
          chi2 = fused(weight, polynomial(series::chi2, near_y), chi2);
        if constexpr ((Wants & row_want::entropy_gap) != 0)
          entropy = fused(gain, select(near, middle - level, none),
                          fused(weight, polynomial(series::entropy, near_y), entropy));
      }
      if (count(near) == lanes)
        continue;
      mask far_p = excluding(pair.train_alive, near), far_q = excluding(pair.infer_alive, near);
      floats p = select(far_p, exponential(log_p), none);
      floats q = select(far_q, exponential(log_q), none);
      distance = distance + magnitude(q - p);
      if constexpr ((Wants & row_want::hellinger) != 0) {
        floats roots = root(p) - root(q);
        hellinger = fused(half * roots, roots, hellinger);
      }
      const doubles exact_y = Mode == reading::exact ? pair.exact_x : widen(y);
      // Drifts too large for fp32, and drifts that count at a weight too small for fp32.
      const bool is_long = count(is_less(all(0x1p96F), magnitude(y))) != 0;
      const bool is_faint = outweighs(y, log_p) || outweighs(y, log_q);
      if constexpr ((Wants & row_want::kl_train_infer) != 0) {
        forward = forward + (q - p);
        if (is_long || is_faint)
          far_forward =
              far_forward - weighed(both(far_p, pair.alive), p, log_p, is_faint) * exact_y;
        else
          forward = forward - p * y;
      }
      if constexpr ((Wants & row_want::kl_infer_train) != 0) {
        backward = backward + (p - q);
        if (is_long || is_faint)
          far_backward =
              far_backward + weighed(both(far_q, pair.alive), q, log_q, is_faint) * exact_y;
        else
          backward = backward + q * y;
      }
      if constexpr ((Wants & row_want::js) != 0)
        js = fused(half, far_js(p, q, y), js);
      if constexpr ((Wants & row_want::chi2) != 0) {
        mask far = excluding(pair.alive, near);
        floats log_excess = log_p - y, slack = log_p * all(-0x1p-20F); // of p²/q
        // Values beyond fp32's range or precision. If one is beyond double's, the loop ends.
        mask huge = both(far, either(is_less(all(80.0F), log_excess),
                                     both(is_less(log_p, all(-256.0F)),
                                          is_less(all(-100.0F) - slack, log_excess))));
        floats excess = select(excluding(far, huge), exponential(log_excess), none);
        chi2 = chi2 + select(huge, none, fused(all(-2.0F), p, excess + q));
        if (count(huge) != 0 && !is_endless) {
          far_chi2 = far_chi2 + any_exponential(huge, reader.log_excess(pair) - exact_log_train);
          is_endless = count(both(huge, is_less(all(720.0F) + slack, log_excess))) != 0;
        }
      }
      if constexpr ((Wants & row_want::entropy_gap) != 0)
        entropy = entropy + (q * (log_q - far_level) - p * (log_p - far_level));
      if constexpr ((Wants & row_want::missing_mass) != 0)
        missing = missing + select(is_equal(pair.infer, all(-infinity)), p, none);
    }
    divergences out;
    out.distance = sum(distance);
    out.hellinger = sum(hellinger);
    out.kl_train_infer = sum(forward) + sum(far_forward);
    out.kl_infer_train = sum(backward) + sum(far_backward);
    out.js = sum(js);
    out.chi2 = is_endless ? std::numeric_limits<double>::infinity() : sum(chi2) + sum(far_chi2);
    out.entropy = sum(entropy);
    out.missing = sum(missing);
    return out;
  }

  /// Returns p log(2p/(p + q)) + q log(2q/(p + q)), for |y| ≥ 1 or if a side is 0.
  [[gnu::always_inline]] static floats far_js(floats p, floats q, floats y) {
    floats small = smaller(p, q), large = larger(p, q);
    floats part = small / larger(fused(all(2.0F), large, small), all(0x1p-120F));
    floats log_sum = part * polynomial(artanh, part * part); // log(1 + small/large)
    return (large + small) * (all(0.69314718F) - log_sum) - small * magnitude(y);
  }

  /// Returns whether a drift may count at a weight below fp32's range.
  [[gnu::always_inline]] static bool outweighs(floats y, floats log) {
    mask faint = both(is_less(log, all(-80.0F)), is_less(all(-160.0F), log));
    return count(both(faint, is_less(all(0x1p16F), magnitude(y)))) != 0;
  }

  [[gnu::always_inline]] static doubles weighed(mask where, floats weight, floats log,
                                                bool is_faint) {
    return is_faint ? heavy(where, log) : widen(select(where, weight, all(0.0F)));
  }

  /// Returns e^x; 0 only below −160.
  [[gnu::always_inline]] static doubles heavy(mask where, floats x) {
    floats raised = exponential(smaller(x, all(8.0F)) + all(80.0F));
    return widen(select(where, raised, all(0.0F))) * all_exact(1.8048513878454153e-35); // e⁻⁸⁰
  }

  /// Returns e^x within double's range, and 0 elsewhere.
  [[gnu::always_inline]] static doubles any_exponential(mask where, doubles x) {
    doubles within = smaller(x, all_exact(720));
    floats root = select(where, narrow(within * all_exact(1.0 / 16)), all(0.0F));
    floats rest = select(where, narrow(within - widen(root) * all_exact(16)), all(0.0F));
    doubles out = widen(select(where, exponential(root), all(0.0F)));
    out = out * out;
    out = out * out;
    out = out * out;
    out = out * out;
    return out + out * widen(rest); // the rounding error of fp32, sixteen times
  }

  /// Counts the tokens with this logit.
  static std::size_t count_of(row_view row, std::size_t tokens, float value) {
    std::size_t i = 0, out = 0;
    for (; i + lanes <= tokens; i += lanes)
      out += count(is_equal(load(row, i), all(value)));
    for (; i < tokens; ++i)
      out += value_at(row, i) == value ? 1U : 0U;
    return out;
  }

  /// Returns Σ e^u and Σ u·e^u for u = scale·(z − top), over whole vectors of tokens. No token is
  /// above `top`.
  static row_law law_of(row_view row, std::size_t tokens, float top, double scale) {
    const floats none = all(0.0F), masked = all(-infinity);
    const doubles exact_top = all_exact(static_cast<double>(top)), exact_scale = all_exact(scale);
    floats weight = none, level = none;
    for (std::size_t i = 0; i < tokens; i += lanes) {
      floats z = load(row, i);
      mask alive = is_less(masked, z);
      floats u = narrow((widen(select(alive, z, all(top))) - exact_top) * exact_scale);
      u = larger(u, all(-0x1p126F));
      floats one = select(alive, exponential(u), none);
      weight = weight + one;
      level = fused(one, u, level);
    }
    return {sum(weight), sum(level)};
  }
};
