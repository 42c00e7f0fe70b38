#pragma once

#include <array>
#include <cstdint>

/// How far the two sides of tokens are apart, in sums that add up.
namespace tikc::data {

/// Sums of x = log p - log q of sampled tokens, and of w = exp(x). They add up.
struct Drift {
  std::uint64_t tokens = 0;
  std::uint64_t responses = 0;
  double x = 0, absolute = 0, square = 0;
  double excess = 0, excessSquare = 0; // of w - 1
  // By response, whose tokens are not independent: of the sum S of w - 1 over n tokens.
  double sumSquare = 0, sumLength = 0, lengthSquare = 0;
  double largest = 0;

  /// Of a token: x, and w - 1.
  void add(double value, double more);
  void closeResponse(double sum, std::uint64_t length);
  void add(const Drift& other);

  double meanWeight() const { return 1 + excess / static_cast<double>(tokens); }
  /// Of the mean of w, with responses as units where there are some.
  double standardError() const;
  double meanAbsolute() const { return absolute / static_cast<double>(tokens); }
  /// Estimates of a divergence: -x, and w - 1 - x.
  double k1() const { return -x / static_cast<double>(tokens); }
  double k3() const { return excess / static_cast<double>(tokens) + k1(); }
};

/// Capital that was bet on E w > 1. If E w is at most 1 whatever came before, it is past 1/alpha
/// with a probability of at most alpha, with no assumption on tails.
class Bets {
public:
  void add(double weight);
  void add(const Bets& other);
  /// The logarithm of the capital: of a mixture of shares of it that were bet each time.
  double logCapital() const;

private:
  static constexpr std::array<double, 8> shares{0.9,    0.5,     0.25,     0.125,
                                                0.0625, 0.03125, 0.015625, 0.0078125};
  void settle();

  std::array<double, 8> capital_{1, 1, 1, 1, 1, 1, 1, 1};
  std::array<double, 8> settled_{};
  unsigned unsettled_ = 0;
};

/// Products of log p at a token with log q at the one before, at it, and behind it.
struct LagProducts {
  std::uint64_t pairs = 0;
  std::array<double, 3> products{};
  double train = 0, infer = 0;

  void add(const LagProducts& other);
  /// Covariances, of which the middle one is the largest where tokens are in their places.
  std::array<double, 3> covariances() const;
};

} // namespace tikc::data
