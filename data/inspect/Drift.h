#pragma once

#include <cstdint>

/// How far the two sides of tokens are apart, in sums that add up.
namespace tikc::data {

/// A log-ratio past this is told as this: sums of squares of sums stay finite.
inline constexpr double largestExponent = 300;

/// Of a sampled token: x = log p - log q, w - 1 of w = exp(x), and 1 - q, which is how far
/// rounding can move its log-prob: where the server is sure of a token, the sides agree on it.
struct TokenDrift {
  double x = 0, more = 0, room = 0;

  static TokenDrift of(double x, float infer);
};

/// Sums over tokens. They add up.
struct Drift {
  std::uint64_t tokens = 0;
  std::uint64_t responses = 0;
  double x = 0, absolute = 0, square = 0;
  double excess = 0, excessSquare = 0; // of w - 1
  double room = 0;                     // of 1 - q
  // By response, whose tokens are not independent: of the sum S of w - 1 over n tokens, and of the
  // sum A of |x| over those with R for the sum of 1 - q.
  double sumSquare = 0, sumLength = 0, lengthSquare = 0;
  double absoluteSquare = 0, absoluteLength = 0, absoluteRoom = 0, roomSquare = 0;
  double largest = 0;

  void add(const TokenDrift& token);
  /// All that there is of a response, token by token: what tokens of one share is no more evidence
  /// for there being many.
  void addResponse(const Drift& tokens);
  void add(const Drift& other);

  double meanWeight() const { return 1 + excess / static_cast<double>(tokens); }
  /// Of the mean of w, with responses as units where there are some.
  double standardError() const;
  double meanAbsolute() const { return absolute / static_cast<double>(tokens); }
  /// Of that, with responses as units.
  double absoluteError() const;
  /// |x| for each 1 - q: the same of easy texts and hard ones. Infinite where the server was sure.
  double level() const { return absolute / room; }
  /// Of that, with responses as units.
  double levelError() const;
  /// Estimates of a divergence: -x, and w - 1 - x.
  double k1() const { return -x / static_cast<double>(tokens); }
  double k3() const { return excess / static_cast<double>(tokens) + k1(); }

  /// Each of the numbers, for who keeps them.
  template <class Visit, class Of> static void eachNumber(Visit&& visit, Of& of) {
    for (auto* each : {&of.x, &of.absolute, &of.square, &of.excess, &of.excessSquare, &of.room,
                       &of.sumSquare, &of.sumLength, &of.lengthSquare, &of.absoluteSquare,
                       &of.absoluteLength, &of.absoluteRoom, &of.roomSquare, &of.largest})
      visit(*each);
  }

private:
  void addSums(const Drift& other);
};

} // namespace tikc::data
