#pragma once

#include "data/Response.h"
#include "data/inspect/Drift.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

/// Traces that faults leave in the numbers of two sides, as sums of a fixed size.
namespace tikc::data {

/// Returns the logarithmic bin of a count: 0, 1, 2 to 3, 4 to 7, …
inline std::size_t logBinOf(std::uint64_t value) {
  return static_cast<std::size_t>(std::bit_width(value));
}
/// Returns the first value of a logarithmic bin.
inline std::uint64_t beginOfLogBin(std::size_t bin) {
  return bin == 0 ? 0 : std::uint64_t{1} << (bin - 1);
}

/// Drift along integers of unknown range, such as steps. The bins have one width: the least power
/// of two for which all integers fit. So the bins do not depend on the order of numbers and parts.
class SteppedDrift {
public:
  static constexpr std::size_t most = 64;
  static constexpr double largest = 0x1p53; // the largest integer that a double represents exactly

  /// Adds a response at a finite number, rounded down.
  void addResponse(double at, const Drift& tokens);
  void add(const SteppedDrift& other);

  bool isEmpty() const { return least_ > greatest_; }
  std::int64_t least() const { return least_; }
  std::int64_t greatest() const { return greatest_; }
  /// The width of a bin, and its first integer.
  std::int64_t width() const { return std::int64_t{1} << shift_; }
  std::int64_t beginOf(std::size_t bin) const {
    return ((least_ >> shift_) + static_cast<std::int64_t>(bin)) * width();
  }
  const std::array<Drift, most>& bins() const { return bins_; }

  /// Restores serialised bins; returns false if no numbers make such bins.
  bool restore(std::int64_t least, std::int64_t greatest, const std::array<Drift, most>& bins);

private:
  static unsigned shiftOf(std::int64_t least, std::int64_t greatest);
  void cover(std::int64_t least, std::int64_t greatest);

  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest_ = std::numeric_limits<std::int64_t>::min();
  unsigned shift_ = 0;
  std::array<Drift, most> bins_{};
};

/// Products of log p at a token with log q at the previous token, at the same one, and at the next.
struct LagProducts {
  std::uint64_t pairs = 0;
  std::array<double, 3> products{};
  double train = 0, infer = 0, inferSquare = 0;
  // By response: the excess of the product with either neighbour over the product at the token.
  std::array<double, 2> gainSquare{}, gainLength{};
  double lengthSquare = 0;

  void addPair(float train, const float* infer);
  void addResponse(const LagProducts& pairsOfIt);
  void add(const LagProducts& other);
  /// Returns the covariances. The middle one is the largest if tokens are aligned.
  std::array<double, 3> covariances() const;
  double varianceOfInfer() const;
  /// Returns the standard error of the difference between a neighbour's covariance (0: previous, 1:
  /// next) and the middle one.
  double errorOfGain(std::size_t neighbour) const;

  template <class Visit, class Of> static void eachNumber(Visit&& visit, Of& sums) {
    for (auto& each : sums.products)
      visit(each);
    for (auto* each : {&sums.gainSquare, &sums.gainLength})
      for (auto& one : *each)
        visit(one);
    for (auto* each : {&sums.train, &sums.infer, &sums.inferSquare, &sums.lengthSquare})
      visit(*each);
  }

private:
  void addSums(const LagProducts& other);
};

/// A regression line of x over log q, and its standard error with responses as units.
struct LineOfDrift {
  static constexpr std::size_t terms = 5; // 1, log q, x, (log q)², x log q
  static constexpr std::size_t pairsOfTerms = terms * (terms + 1) / 2;
  std::uint64_t responses = 0;
  std::array<double, terms> sums{};
  std::array<double, pairsOfTerms> products{}; // of responses' sums
  double square = 0;                           // of x

  struct Line {
    double intercept = 0, slope = 0, slopeError = 0;
    double share = 0; // the share of x's variance that the slope explains
  };

  void addToken(double logQ, double x);
  void addResponse(const LineOfDrift& tokensOfIt);
  void add(const LineOfDrift& other);
  /// Returns zeros if log q does not vary.
  Line line() const;

  template <class Visit, class Of> static void eachNumber(Visit&& visit, Of& sums) {
    for (auto& each : sums.sums)
      visit(each);
    for (auto& each : sums.products)
      visit(each);
    visit(sums.square);
  }
};

/// A histogram of |x| / (1 - q) in quarters of octaves, for tokens with q < 1. Rare large values
/// there are not rounding.
struct TailOfDrift {
  static constexpr std::size_t bins = 160, octaves = bins / 4;
  static constexpr int leastExponent = -24; // of the first octave
  static constexpr double surest = 0.9;     // of q: tokens above are not counted
  std::array<std::uint64_t, bins> tokens{};
  std::array<double, bins> square{};              // the sums of x² in each bin
  std::array<double, bins> excess{};              // the sums of w - 1
  std::array<std::uint64_t, octaves> responses{}; // by the octave of their largest value

  static std::size_t binOf(double ratio);
  static double beginOf(std::size_t bin);
  void add(const TailOfDrift& other);
};

/// A histogram of p/q or q/p, whichever is below 1. If one side is cut to the kept tokens and the
/// other is not, this is the kept mass, apart from rounding.
struct KeptMass {
  static constexpr std::size_t bins = 64;
  enum Side : std::uint8_t { server, trainer }; // whose log-prob is larger
  std::array<std::array<std::uint64_t, bins>, 2> tokens{};

  void addToken(const TokenDrift& token);
  void add(const KeptMass& other);
  /// Returns the mass that is exceeded at all but a share of `all` tokens. 1 if fewer than that
  /// share are on this side.
  double exceededAtAllBut(double share, std::uint64_t all, Side side) const;
};

/// All traces. Responses and parts add up. The order of parts changes no count, and only the last
/// digits of a sum.
struct Signs {
  static constexpr std::size_t positionBins = 64, lagBins = 17, probabilityBins = 12,
                               lengthBins = 24;
  static constexpr float certain = 0; // the log-prob that writers put where nothing was sampled

  /// Paired responses, and responses that addSome() skipped.
  std::uint64_t responses = 0, passedOver = 0;
  /// Tokens. `nonFinite` and `equal` are parts of `counted`.
  std::uint64_t counted = 0, masked = 0, nonFinite = 0, equal = 0;
  Drift whole;
  std::array<Drift, positionBins> positions{};        // by logBinOf(): 0, 1, 2 to 3, 4 to 7, …
  std::array<Drift, probabilityBins> probabilities{}; // by probabilityBinOf(), not by response
  /// By step minus version, if both are known: below 0, 0, 1, 2 to 3, 4 to 7, …
  std::array<Drift, lagBins> lags{};
  SteppedDrift steps, versions;
  /// The first tokens that count of responses that reach so far, by logBinOf() of the length from
  /// the first to the last token that counts.
  std::array<Drift, lengthBins> lengths{};
  static constexpr std::uint64_t firstOfLength = 32;
  Drift first, last; // tokens that count
  Drift undrawn;     // tokens with q = 1 and p < 1
  LagProducts products;
  LineOfDrift line; // tokens with q < 1
  TailOfDrift tail;
  KeptMass kept;

  /// Adds a paired response. Returns the sums of its tokens.
  Drift add(const Response& response);
  /// Adds a sample of a long piece: the responses of its first tokens, then one response of
  /// every 64.
  void addSome(const Response& response);
  static constexpr std::uint64_t firstTokens = 1 << 16, oneOf = 64;
  void add(const Signs& other);

  bool isEmpty() const { return whole.tokens == 0; }
  /// The bin of -log q: 0 to 1/4, to 1/2, to 1, then by 1 nat up to 8, and from 8 on. 0 itself is
  /// certainty.
  static std::size_t probabilityBinOf(double logQ);
  /// Returns the -log q at which a bin begins.
  static double beginOfProbabilityBin(std::size_t bin);
};

} // namespace tikc::data
