#pragma once

#include "data/Response.h"
#include "data/inspect/Drift.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

/// What faults leave behind in the numbers of two sides, in sums of a fixed size.
namespace tikc::data {

/// Of what is counted from 0 on: 0, 1, 2 to 3, 4 to 7, …
inline std::size_t logBinOf(std::uint64_t value) {
  return static_cast<std::size_t>(std::bit_width(value));
}
/// What such a bin begins at.
inline std::uint64_t beginOfLogBin(std::size_t bin) {
  return bin == 0 ? 0 : std::uint64_t{1} << (bin - 1);
}

/// Drift along whole numbers that nobody knows beforehand, as those of steps: bins of one width, a
/// power of two, which is the least that has all of them in so many bins. So the bins are the same
/// in whatever order numbers come and parts are joined.
class SteppedDrift {
public:
  static constexpr std::size_t most = 64;
  static constexpr double largest = 0x1p53; // what a double counts to

  /// A response at a number that is finite, rounded down.
  void addResponse(double at, const Drift& tokens);
  void add(const SteppedDrift& other);

  bool isEmpty() const { return least_ > greatest_; }
  std::int64_t least() const { return least_; }
  std::int64_t greatest() const { return greatest_; }
  /// How many numbers are in a bin, and which is its first.
  std::int64_t width() const { return std::int64_t{1} << shift_; }
  std::int64_t beginOf(std::size_t bin) const {
    return ((least_ >> shift_) + static_cast<std::int64_t>(bin)) * width();
  }
  const std::array<Drift, most>& bins() const { return bins_; }

  /// What another process wrote: false where no numbers make such bins.
  bool restore(std::int64_t least, std::int64_t greatest, const std::array<Drift, most>& bins);

private:
  static unsigned shiftOf(std::int64_t least, std::int64_t greatest);
  void cover(std::int64_t least, std::int64_t greatest);

  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest_ = std::numeric_limits<std::int64_t>::min();
  unsigned shift_ = 0;
  std::array<Drift, most> bins_{};
};

/// Products of log p at a token with log q at the one before, at it, and behind it.
struct LagProducts {
  std::uint64_t pairs = 0;
  std::array<double, 3> products{};
  double train = 0, infer = 0, inferSquare = 0;
  // By response: of how much the product with either neighbour is above that at the token.
  std::array<double, 2> gainSquare{}, gainLength{};
  double lengthSquare = 0;

  void addPair(float train, const float* infer);
  void addResponse(const LagProducts& pairsOfIt);
  void add(const LagProducts& other);
  /// Covariances, of which the middle one is the largest where tokens are in their places.
  std::array<double, 3> covariances() const;
  double varianceOfInfer() const;
  /// Of the difference between a neighbour's covariance, 0 before and 1 behind, and the middle one.
  double errorOfGain(std::size_t neighbour) const;

  template <class Visit, class Of> static void eachNumber(Visit&& visit, Of& of) {
    for (auto& each : of.products)
      visit(each);
    for (auto* each : {&of.gainSquare, &of.gainLength})
      for (auto& one : *each)
        visit(one);
    for (auto* each : {&of.train, &of.infer, &of.inferSquare, &of.lengthSquare})
      visit(*each);
  }

private:
  void addSums(const LagProducts& other);
};

/// A line through x over log q, and by how much it may be off with responses as units.
struct LineOfDrift {
  static constexpr std::size_t terms = 5; // 1, log q, x, (log q)², x log q
  static constexpr std::size_t pairsOfTerms = terms * (terms + 1) / 2;
  std::uint64_t responses = 0;
  std::array<double, terms> sums{};
  std::array<double, pairsOfTerms> products{}; // of responses' sums
  double square = 0;                           // of x

  struct Line {
    double intercept = 0, slope = 0, slopeError = 0;
    double share = 0; // of the variance of x that the slope explains
  };

  void addToken(double logQ, double x);
  void addResponse(const LineOfDrift& tokensOfIt);
  void add(const LineOfDrift& other);
  /// Zeros where log q does not vary.
  Line line() const;

  template <class Visit, class Of> static void eachNumber(Visit&& visit, Of& of) {
    for (auto& each : of.sums)
      visit(each);
    for (auto& each : of.products)
      visit(each);
    visit(of.square);
  }
};

/// How often |x| / (1 - q) is how large where the server was not sure, in quarters of octaves: what
/// is rare and large there is another thing than rounding.
struct TailOfDrift {
  static constexpr std::size_t bins = 160, octaves = bins / 4;
  static constexpr int leastExponent = -24; // of the first octave
  static constexpr double surest = 0.9;     // of q: what is above is not counted
  std::array<std::uint64_t, bins> tokens{};
  std::array<double, bins> square{};              // x² of those
  std::array<std::uint64_t, octaves> responses{}; // by their largest

  static std::size_t binOf(double ratio);
  static double beginOf(std::size_t bin);
  void add(const TailOfDrift& other);
};

/// All of it. Responses and parts add up; the order of parts changes no count, and no more than the
/// last digits of a sum.
struct Signs {
  static constexpr std::size_t positionBins = 64, lagBins = 17, probabilityBins = 12;
  static constexpr float certain = 0; // the log-prob that writers put where nothing was drawn

  /// Of both sides, and those that addSome() left out.
  std::uint64_t responses = 0, passedOver = 0;
  std::uint64_t counted = 0, masked = 0, nonFinite = 0, equal = 0; // tokens; the last two count
  Drift whole;
  std::array<Drift, positionBins> positions{};        // by logBinOf(): 0, 1, 2 to 3, 4 to 7, …
  std::array<Drift, probabilityBins> probabilities{}; // by probabilityBinOf(), of no responses
  /// By step less version, where both are named: below 0, 0, 1, 2 to 3, 4 to 7, …
  std::array<Drift, lagBins> lags{};
  SteppedDrift steps, versions;
  Drift first, last; // tokens that count
  Drift undrawn;     // tokens that the server is certain of and the trainer is not
  LagProducts products;
  LineOfDrift line; // of tokens of which the server is not certain
  TailOfDrift tail;

  /// Of a response of both sides; gives the sums of its tokens.
  Drift add(const Response& response);
  /// For who has no time for all of a long piece: adds what comes in its first tokens, and then one
  /// response of so many.
  void addSome(const Response& response);
  static constexpr std::uint64_t firstTokens = 1 << 16, oneOf = 64;
  void add(const Signs& other);

  bool isEmpty() const { return whole.tokens == 0; }
  /// By -log q: 0 to 1/4, to 1/2, to 1, then by 1 nat up to 8, and from 8 on; 0 alone is certainty.
  static std::size_t probabilityBinOf(double logQ);
  /// The -log q that such a bin begins at.
  static double beginOfProbabilityBin(std::size_t bin);
};

} // namespace tikc::data
