#include "interpreter/Coherence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tikc::interpreter {
namespace {

constexpr Wide infinity = std::numeric_limits<Wide>::infinity();

struct Between {
  Wide low, high;
};

/// Where a log-ratio lies that is known to a thirty-second of its octave, from 2^-40 to 2^16.
Between bucketOf(Wide gap) {
  const Wide least = std::ldexp(Wide{1}, -40), most = std::ldexp(Wide{1}, 16);
  Wide size = std::abs(gap);
  if (size < least)
    return {-least, least};
  Between out{most, infinity};
  if (size < most) {
    Wide step = std::ldexp(Wide{1}, static_cast<int>(std::floor(std::log2(size))) - 5);
    out.low = std::floor(size / step) * step;
    out.high = out.low + step;
  }
  return gap < 0 ? Between{-out.high, -out.low} : out;
}

/// How often each value comes.
using Counts = std::map<Wide, Wide>;

/// The logarithm of the mean, over r = 2^-12 … 2^3, of the products of (1 + r·w)/(1 + r·m).
Wide evidence(const Counts& ratios, Wide mean) {
  std::vector<Wide> logs;
  for (int i = -12; i <= 3; ++i) {
    Wide r = std::ldexp(Wide{1}, i), log = 0;
    for (const auto& [ratio, count] : ratios)
      log += count * std::log1p(r * (ratio - mean) / (1 + r * mean));
    logs.push_back(log);
  }
  Wide top = *std::max_element(logs.begin(), logs.end()), total = 0;
  for (Wide each : logs)
    total += std::exp(each - top);
  return top + std::log(total / static_cast<Wide>(logs.size()));
}

Wide meanOf(const Counts& values) {
  Wide total = 0, n = 0;
  for (const auto& [value, count] : values) {
    total += value * count;
    n += count;
  }
  return total / n;
}

} // namespace

Finding decideCoherence(const std::vector<Wide>& gaps, Wide alpha) {
  const auto n = gaps.size();
  if (std::any_of(gaps.begin(), gaps.end(), [](Wide each) { return std::isnan(each); }))
    return {Verdict::Violated, false, infinity, 0, infinity, n};
  Counts least, shown, most;
  for (Wide each : gaps) {
    // Log-probs come in single precision, and so does their difference.
    Between at = bucketOf(static_cast<float>(each));
    ++least[std::exp(std::min(at.low, Wide{700}))];
    ++shown[std::exp(at.low / 2 + at.high / 2)];
    ++most[std::exp(at.high)];
  }
  Finding out{Verdict::Undecided, false, meanOf(shown), 0, infinity, n};
  const Wide needed = -std::log(alpha);
  if (Wide inside = meanOf(least); inside > 0) {
    Wide outside = 0;
    for (int i = 0; i < 60; ++i) {
      Wide middle = (inside + outside) / 2;
      (evidence(least, middle) >= needed ? outside : inside) = middle;
    }
    out.low = outside;
  }
  if (evidence(least, 1) >= needed)
    out.verdict = Verdict::Violated;
  else if (out.low * 1.03L >= meanOf(most))
    out.verdict = Verdict::Satisfied;
  return out;
}

} // namespace tikc::interpreter
