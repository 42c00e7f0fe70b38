#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tikc {

/// A quantile level as the ratio that its author wrote, so that ranks of 99.9% need no rounding.
struct quantile_level {
  std::uint32_t part;
  std::uint32_t whole;

  /// Returns ⌈n·part/whole⌉, at least 1. It splits n = q·whole + r, so that no product exceeds 64
  /// bits.
  constexpr std::uint64_t rank(std::uint64_t n) const {
    const std::uint64_t rest = n % whole * part;
    const std::uint64_t at = n / whole * part + rest / whole + (rest % whole != 0 ? 1 : 0);
    return at == 0 ? 1 : at;
  }
};

/// The rank of NaN. A clause with an upper bound ranks it highest, one with a lower bound lowest.
enum class nan_rank : std::uint8_t { highest, lowest };

namespace detail {

/// Buckets of magnitudes in [2^-40, 2^16): one for each exponent and five bits of mantissa. A
/// bucket is at most 1/32 of its lower edge wide, so its middle is off by at most 1.6%.
struct buckets {
  static constexpr int mantissa_bits = 5;
  static constexpr std::uint32_t shift = 23 - mantissa_bits;
  static constexpr std::uint32_t lowest = (127U - 40U) << mantissa_bits;
  static constexpr std::uint32_t count = (40U + 16U) << mantissa_bits;
  static constexpr float tiny = 0x1p-40F;
  static constexpr float last_tiny = 0x1.fffffep-41F;
  static constexpr float huge = 0x1p16F;

  static std::uint32_t bits(float x) {
    std::uint32_t out = 0;
    std::memcpy(&out, &x, sizeof out);
    return out;
  }
  static float from_bits(std::uint32_t bits) {
    float out = 0;
    std::memcpy(&out, &bits, sizeof out);
    return out;
  }
  static float lower_edge(std::size_t bucket) {
    return from_bits((static_cast<std::uint32_t>(bucket) + lowest) << shift);
  }
  static float last_value(std::size_t bucket) {
    return from_bits(((static_cast<std::uint32_t>(bucket) + lowest + 1U) << shift) - 1U);
  }
};

} // namespace detail

/// The bounds of a value, both attainable. NaN if there were no values.
struct quantile_range {
  float low;
  float high;

  /// Returns the value to show: the middle, off by at most 1/64 of it. Beyond the buckets, only the
  /// end nearer to 0 is known, so that end is returned; the value is at least as far from 0.
  float shown() const {
    if (!(low < high))
      return low;
    if (low >= detail::buckets::huge)
      return low;
    return high <= -detail::buckets::huge ? high : low + (high - low) / 2;
  }
};

namespace detail {

/// Walks bands of values in ascending order until it reaches a rank.
class rank_walk {
public:
  rank_walk(std::uint64_t rank, float least, float greatest)
      : left_(rank), least_(least), greatest_(greatest) {}

  /// Returns whether the rank falls among `held` values that are all in [low, high].
  bool reaches(std::uint64_t held, float low, float high) {
    if (held < left_) {
      left_ -= held;
      return false;
    }
    found_ = {low < least_ ? least_ : low, high > greatest_ ? greatest_ : high};
    return true;
  }
  quantile_range found() const { return found_; }

private:
  std::uint64_t left_;
  float least_;
  float greatest_;
  quantile_range found_ = {};
};

} // namespace detail

/// Counts of values by magnitude, and by sign if `Signed`: plain data of a fixed size, merged by
/// addition. The 64-bit counts do not overflow. Without signs, values below zero count as tiny.
template <bool Signed> struct quantile_sketch {
  using buckets = detail::buckets;
  static constexpr std::size_t sides = Signed ? 2 : 1;
  static constexpr float infinity = std::numeric_limits<float>::infinity();

  /// Ascending magnitudes of positive values, then those of negative values.
  std::array<std::uint64_t, sides * buckets::count> counts{};
  std::array<std::uint64_t, sides> huge{};
  std::uint64_t tiny = 0;
  std::uint64_t nans = 0;
  float least = infinity;
  float greatest = -infinity;

  void add(float x) {
    if (x != x) {
      ++nans;
      return;
    }
    least = x < least ? x : least;
    greatest = x > greatest ? x : greatest;
    const bool negative = x < 0;
    const float magnitude = negative && Signed ? -x : x;
    const std::size_t side = negative && Signed ? 1 : 0;
    if (!(magnitude >= buckets::tiny)) {
      ++tiny;
    } else if (magnitude >= buckets::huge) {
      ++huge[side];
    } else {
      const std::uint32_t bucket = (buckets::bits(magnitude) >> buckets::shift) - buckets::lowest;
      ++counts[side * buckets::count + bucket];
    }
  }

  /// Adds a value. A value beyond float's range counts as larger than every float and less than
  /// infinity.
  void add(double x) {
    constexpr float most = std::numeric_limits<float>::max();
    const bool is_beyond = x > static_cast<double>(most) || x < -static_cast<double>(most);
    if (!is_beyond || x - x != 0) {
      add(static_cast<float>(x));
    } else if (x > 0) {
      add(most);
      greatest = infinity;
    } else {
      add(-most);
      least = -infinity;
    }
  }

  /// Returns whether no value was added.
  bool is_empty() const { return least > greatest && nans == 0; }

  void merge(const quantile_sketch& other) {
    if (other.is_empty())
      return;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] += other.counts[i];
    }
    for (std::size_t side = 0; side < sides; ++side) {
      huge[side] += other.huge[side];
    }
    tiny += other.tiny;
    nans += other.nans;
    least = other.least < least ? other.least : least;
    greatest = other.greatest > greatest ? other.greatest : greatest;
  }

  std::uint64_t size() const {
    std::uint64_t total = tiny + nans;
    for (std::uint64_t held : huge) {
      total += held;
    }
    for (std::uint64_t held : counts) {
      total += held;
    }
    return total;
  }

  /// Bounds the least value that at least ⌈level·n⌉ values do not exceed.
  quantile_range quantile(quantile_level level, nan_rank nan = nan_rank::highest) const {
    return value_at(level.rank(size()), nan);
  }

  /// Bounds the greatest value such that at least ⌈level·n⌉ values are not below it. Used for
  /// figures that fall as values rise.
  quantile_range quantile_from_top(quantile_level level, nan_rank nan = nan_rank::lowest) const {
    const std::uint64_t n = size();
    return value_at(n + 1 - level.rank(n), nan);
  }

  /// Bounds a quantile of magnitudes. The buckets of both signs have the same edges.
  quantile_range magnitude_quantile(quantile_level level, nan_rank nan = nan_rank::highest) const {
    static_assert(Signed, "a sketch without signs has magnitudes only");
    const float reach = greatest > -least ? greatest : -least;
    return walk(level.rank(size()), nan, 0, reach, [&](detail::rank_walk& at) {
      if (at.reaches(tiny, 0, buckets::last_tiny)) {
        return true;
      }
      for (std::size_t i = 0; i < buckets::count; ++i) {
        if (at.reaches(counts[i] + counts[buckets::count + i], buckets::lower_edge(i),
                       buckets::last_value(i))) {
          return true;
        }
      }
      return at.reaches(huge[0] + huge[1], buckets::huge, infinity);
    });
  }

private:
  quantile_range value_at(std::uint64_t rank, nan_rank nan) const {
    return walk(rank, nan, least, greatest, [&](detail::rank_walk& at) {
      if constexpr (Signed) {
        if (at.reaches(huge[1], -infinity, -buckets::huge)) {
          return true;
        }
        for (std::size_t i = buckets::count; i-- > 0;) {
          if (at.reaches(counts[buckets::count + i], -buckets::last_value(i),
                         -buckets::lower_edge(i))) {
            return true;
          }
        }
      }
      if (at.reaches(tiny, Signed ? -buckets::last_tiny : -infinity, buckets::last_tiny)) {
        return true;
      }
      for (std::size_t i = 0; i < buckets::count; ++i) {
        if (at.reaches(counts[i], buckets::lower_edge(i), buckets::last_value(i))) {
          return true;
        }
      }
      return at.reaches(huge[0], buckets::huge, infinity);
    });
  }

  template <class Bands>
  quantile_range walk(std::uint64_t rank, nan_rank nan, float from, float to, Bands bands) const {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    const std::uint64_t n = size();
    if (n == 0) {
      return {none, none};
    }
    const bool lowest = nan == nan_rank::lowest;
    if (lowest ? rank <= nans : rank > n - nans) {
      const float worst = lowest ? -infinity : infinity;
      return {worst, worst};
    }
    detail::rank_walk at(lowest ? rank - nans : rank, from, to);
    return bands(at) ? at.found() : quantile_range{none, none};
  }
};

using magnitude_sketch = quantile_sketch<false>;
using signed_sketch = quantile_sketch<true>;

namespace detail {

/// A signed sketch for thousands of values at a time. It counts in 16 bits first, and moves the
/// counts on before they overflow. A batch thus touches a quarter of the memory, which is faster
/// with many sketches.
class token_sketch {
public:
  static constexpr std::size_t capacity = 65535;

  /// Returns counts by bucket with room for `values` more, in the order of `settled().counts`.
  std::uint16_t* room_for(std::size_t values) {
    if (values > capacity - held_) {
      settle();
    }
    held_ += static_cast<std::uint32_t>(values);
    return recent_.data();
  }

  void add(float x) { settled_.add(x); }

  void merge(const token_sketch& other) {
    settled_.merge(other.settled_);
    if (other.held_ != 0)
      move_into(settled_, other.recent_);
  }

  /// Moves the 16-bit counts on. Returns the full sketch.
  signed_sketch& settle() {
    move_into(settled_, recent_);
    recent_ = {};
    held_ = 0;
    return settled_;
  }
  signed_sketch whole() const {
    signed_sketch out = settled_;
    move_into(out, recent_);
    return out;
  }

  /// The sketch for counts that belong to no bucket.
  signed_sketch& settled() { return settled_; }

  std::uint64_t size() const { return whole().size(); }
  quantile_range quantile(quantile_level level, nan_rank nan = nan_rank::highest) const {
    return whole().quantile(level, nan);
  }
  quantile_range quantile_from_top(quantile_level level, nan_rank nan = nan_rank::lowest) const {
    return whole().quantile_from_top(level, nan);
  }
  quantile_range magnitude_quantile(quantile_level level, nan_rank nan = nan_rank::highest) const {
    return whole().magnitude_quantile(level, nan);
  }

private:
  using recent_counts = std::array<std::uint16_t, signed_sketch::sides * buckets::count>;

  static void move_into(signed_sketch& into, const recent_counts& from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      into.counts[i] += from[i];
    }
  }

  signed_sketch settled_;
  std::uint32_t held_ = 0; // an upper bound of the recent counts' total
  recent_counts recent_{};
};

} // namespace detail

} // namespace tikc
