// Included like row_kernels.h, and after it.

/// Kernels in whole vectors that find the tokens that cuts leave.
struct cut_kernels {
  /// Writes the largest logit at each place of a vector. Returns their number.
  static std::size_t peaks(row_view row, std::size_t tokens, float* to) {
    floats peak = all(-infinity);
    for (std::size_t i = 0; i < tokens; i += lanes)
      peak = larger(load(row, i), peak);
    store(to, peak);
    return lanes;
  }

  /// Writes the logits that are at least `least`. Returns their number.
  static std::size_t gather(row_view row, std::size_t tokens, float least, float* to) {
    std::size_t out = 0;
    for (std::size_t i = 0; i < tokens; i += lanes) {
      floats z = load(row, i);
      if (count(is_less(z, all(least))) == lanes)
        continue;
      float each[lanes];
      store(each, z);
      for (float one : each) {
        to[out] = one;
        out += one >= least ? 1U : 0U;
      }
    }
    return out;
  }

  /// Writes e^(scale·(z − top)) for each logit; none is above `top`.
  static void weigh(const float* logits, std::size_t tokens, float top, double scale, float* to) {
    const weigher weight(top, scale);
    for (std::size_t i = 0; i < tokens; i += lanes)
      store(to + i, weight.of(load(logits + i)));
  }

  /// Sums the trainer's weights: all, and those of tokens whose inference logit is below or at the
  /// boundary.
  static cut_sums sums_of(row_view train, row_view infer, std::size_t tokens, float top,
                          double scale, float boundary) {
    const weigher weight(top, scale);
    const floats none = all(0.0F), at = all(boundary);
    // Next to a peak, fp32 would lose the mass outside a nucleus.
    doubles whole = all_exact(0), below = whole, tied = whole;
    floats least = all(infinity);
    cut_sums out;
    for (std::size_t i = 0; i < tokens; i += lanes) {
      floats w = load(infer, i), p = weight.of(load(train, i));
      whole = whole + widen(p);
      below = below + widen(select(is_less(w, at), p, none));
      mask ties = is_equal(w, at);
      if (std::size_t more = count(ties); more != 0) {
        out.ties += more;
        tied = tied + widen(select(ties, p, none));
        least = smaller(select(ties, p, all(infinity)), least);
      }
    }
    out.whole = sum(whole);
    out.below = sum(below);
    out.tied = sum(tied);
    out.least_tied = -largest(-least);
    return out;
  }

private:
  struct weigher {
    floats top;
    doubles exact_top, scale;

    [[gnu::always_inline]] weigher(float highest, double by)
        : top(all(highest)), exact_top(all_exact(static_cast<double>(highest))),
          scale(all_exact(by)) {}
    [[gnu::always_inline]] floats of(floats z) const {
      mask alive = is_less(all(-infinity), z);
      floats below = narrow((widen(select(alive, z, top)) - exact_top) * scale);
      return select(alive, exponential(below), all(0.0F)); // for −inf it is 0
    }
  };
};
