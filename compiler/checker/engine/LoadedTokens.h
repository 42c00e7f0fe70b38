#pragma once

#include "checker/engine/Several.h"
#include "checker/tables/Tables.h"
#include "tikc/tokens.h"

#include <memory>

namespace tikc::engine {

/// A sketch that exists only if the plan needs it, because it is large.
class OptionalSketch {
  using Sketch = detail::token_sketch;

public:
  OptionalSketch() = default;
  OptionalSketch(const OptionalSketch& other) { *this = other; }
  OptionalSketch& operator=(const OptionalSketch& other) {
    if (this != &other)
      sketch_ = other.sketch_ ? std::make_unique<Sketch>(*other.sketch_) : nullptr;
    return *this;
  }
  OptionalSketch(OptionalSketch&&) = default;
  OptionalSketch& operator=(OptionalSketch&&) = default;
  ~OptionalSketch() = default;

  void make() { sketch_ = std::make_unique<Sketch>(); }
  bool is_kept() const { return sketch_ != nullptr; }
  Sketch& kept() { return *sketch_; }
  const Sketch& kept() const { return *sketch_; }

  // Forwarded to the runtime's sketch.
  std::uint16_t* room_for(std::size_t values) { return sketch_->room_for(values); }
  void add(float x) { sketch_->add(x); }
  signed_sketch& settled() { return sketch_->settled(); }
  void merge(const OptionalSketch& other) {
    if (sketch_)
      sketch_->merge(*other.sketch_);
  }
  signed_sketch whole() const { return sketch_->whole(); }
  quantile_range quantile(quantile_level level, nan_rank nan) const {
    return sketch_->quantile(level, nan);
  }
  quantile_range quantile_from_top(quantile_level level, nan_rank nan) const {
    return sketch_->quantile_from_top(level, nan);
  }
  quantile_range magnitude_quantile(quantile_level level, nan_rank nan) const {
    return sketch_->magnitude_quantile(level, nan);
  }

private:
  std::unique_ptr<Sketch> sketch_;
};

/// The requirements of a loaded plan for tokens, in the form that the runtime's templates use.
struct LoadedTokens {
  template <class T> using several = Several<T>;
  using sketch_type = OptionalSketch;
  using Stats = token_stats<LoadedTokens>;

  std::uint32_t wants = 0;
  std::vector<float> above, below, beyond;

  /// The pass over a block: the smallest compiled one that computes everything needed; sums that
  /// the plan does not need are removed. Its bits equal those of a pass compiled for the plan.
  class pass {
  public:
    pass(detail::token_isa isa, const LoadedTokens& plan);

    detail::block_totals run(Stats& stats, const float* train, const float* infer,
                             const std::uint8_t* mask, std::size_t size) const;
    detail::block_totals run_gapped(Stats& stats, const float* train, const float* infer,
                                    const float* gap, const std::uint8_t* mask,
                                    std::size_t size) const;

    std::size_t block_tokens;

  private:
    /// Removes sums that the plan does not need, and counts values beyond thresholds.
    void finish(Stats& stats, const float* train, const float* infer, const float* gap,
                const std::uint8_t* mask, std::size_t size) const;

    detail::token_pass<Stats> pass_;
    detail::gapped_token_pass<Stats> gappedPass_;
    detail::threshold_pass count_;
    std::uint32_t unwanted_ = 0; // a bit for each sum
    bool hasThresholds_;
  };
};

} // namespace tikc::engine
