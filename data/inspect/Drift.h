#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

/// How far the two sides of tokens differ, as sums that add up.
namespace tikc::data {

/// Larger log-ratios are clamped to this value, so that sums of squares of sums stay finite.
inline constexpr double largestExponent = 300;

/// The drift of a sampled token: x = log p - log q, w - 1 of w = exp(x), and 1 - q. Rounding can
/// move a log-prob by about 1 - q: if the server is certain of a token, the sides agree on it.
struct TokenDrift {
  double x = 0, more = 0, room = 0;

  static TokenDrift of(double x, float infer) {
    return {x, std::expm1(std::min(x, largestExponent)),
            1 - std::exp(std::min(static_cast<double>(infer), 0.0))};
  }
};

/// Sums over tokens. They add up.
struct Drift {
  std::uint64_t tokens = 0;
  std::uint64_t responses = 0;
  double x = 0, absolute = 0, square = 0;
  double excess = 0, excessSquare = 0; // of w - 1
  double room = 0;                     // of 1 - q
  // By response, since tokens of a response are not independent. S is a response's sum of w - 1
  // over n tokens; A is its sum of |x|, and R its sum of 1 - q.
  double sumSquare = 0, sumLength = 0, lengthSquare = 0;
  double absoluteSquare = 0, absoluteLength = 0, absoluteRoom = 0, roomSquare = 0;
  double largest = 0;

  void add(const TokenDrift& token) {
    ++tokens;
    x += token.x;
    absolute += std::abs(token.x);
    square += token.x * token.x;
    excess += token.more;
    excessSquare += token.more * token.more;
    room += token.room;
    largest = std::max(largest, std::abs(token.x));
  }
  /// Adds all tokens of a response. Tokens of one response share their evidence, so responses are
  /// the units.
  void addResponse(const Drift& tokens);
  void add(const Drift& other);

  double meanWeight() const { return 1 + excess / static_cast<double>(tokens); }
  /// Returns the standard error of the mean of w, with responses as units if there are any.
  double standardError() const;
  double meanAbsolute() const { return absolute / static_cast<double>(tokens); }
  /// Returns the standard error of the mean of |x|, with responses as units.
  double absoluteError() const;
  /// Returns |x| per 1 - q, which is comparable between easy and hard texts. Infinite if the server
  /// was certain.
  double level() const { return absolute / room; }
  /// Returns the standard error of the level, with responses as units.
  double levelError() const;
  /// Estimates of a divergence: -x, and w - 1 - x.
  double k1() const { return -x / static_cast<double>(tokens); }
  double k3() const { return excess / static_cast<double>(tokens) + k1(); }

  /// Visits each number, for serialisation.
  template <class Visit, class Of> static void eachNumber(Visit&& visit, Of& sums) {
    for (auto* each :
         {&sums.x, &sums.absolute, &sums.square, &sums.excess, &sums.excessSquare, &sums.room,
          &sums.sumSquare, &sums.sumLength, &sums.lengthSquare, &sums.absoluteSquare,
          &sums.absoluteLength, &sums.absoluteRoom, &sums.roomSquare, &sums.largest})
      visit(*each);
  }

private:
  void addSums(const Drift& other);
};

} // namespace tikc::data
