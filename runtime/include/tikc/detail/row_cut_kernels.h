// Included as row_kernels.h is, and after it.

/// What looks for the tokens that cuts leave, in whole vectors of them.
struct cut_kernels {
  /// The largest logit at each place of a vector; how many those are.
  static std::size_t peaks(row_view row, std::size_t tokens, float* to) {
    floats peak = all(-infinity);
    for (std::size_t i = 0; i < tokens; i += lanes)
      peak = larger(load(row, i), peak);
    store(to, peak);
    return lanes;
  }

  /// The logits that are not below the least; how many those are.
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

  /// e^(scale·(z − top)) of each, none of which is above the top.
  static void weigh(const float* logits, std::size_t tokens, float top, double scale, float* to) {
    const weigher weight(top, scale);
    for (std::size_t i = 0; i < tokens; i += lanes)
      store(to + i, weight.of(load(logits + i)));
  }

  /// Of the trainer's weights: all, and those of tokens that the inference has below its boundary,
  /// or at it.
  static cut_sums sums_of(row_view train, row_view infer, std::size_t tokens, float top,
                          double scale, float boundary) {
    const weigher weight(top, scale);
    const floats none = all(0.0F), at = all(boundary);
    // Beside a peak fp32 would lose what a nucleus leaves out.
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

    [[gnu::always_inline]] weigher(float of, double by)
        : top(all(of)), exact_top(all_exact(static_cast<double>(of))), scale(all_exact(by)) {}
    [[gnu::always_inline]] floats of(floats z) const {
      mask alive = is_less(all(-infinity), z);
      floats below = narrow((widen(select(alive, z, top)) - exact_top) * scale);
      return select(alive, exponential(below), all(0.0F)); // of −inf it is 0
    }
  };
};
