#pragma once

#include "data/Source.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a look at recorded data tells without a contract.
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

/// The numbers of one side.
struct SideScale {
  std::uint64_t tokens = 0;
  std::uint64_t nonFinite = 0; // of those that count
  std::uint64_t above0 = 0;
  double sum = 0, square = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  void add(float value);
  void add(const SideScale& other);
  double mean() const { return sum / static_cast<double>(tokens); }
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

/// Whole rows of logits.
struct RowSummary {
  std::uint64_t rows = 0;
  std::uint64_t nonFinite = 0;
  std::uint64_t vocabulary = 0;
  double divergence = 0, variation = 0, sameTop = 0; // sums over finite rows
  double largestVariation = 0;
  std::string trainFormat, inferFormat;

  void add(const RowSummary& other);
};

/// A range of what responses say of themselves.
struct Range {
  std::uint64_t responses = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  void add(std::optional<double> value);
  void add(const Range& other);
};

struct Summary {
  PieceReport report;
  std::uint64_t repeatedPieces = 0;
  std::uint64_t tokens = 0, counted = 0, equal = 0;
  std::uint64_t withMask = 0, withIds = 0, withKey = 0; // responses
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max(), longest = 0;
  SideScale train, infer;
  Drift drift;
  Bets bets;
  std::vector<Drift> positions; // by log2
  std::map<double, Drift> versions;
  std::uint64_t unlistedVersions = 0; // responses of versions past the listed ones
  LagProducts lags;
  RowSummary rows;
  Range step, time, reward, advantage;
  Fault largest; // where the largest |x| is

  void add(const Summary& other, std::size_t mostFaults);
};

/// The position that a bin of positions begins at.
std::uint64_t positionOfBin(std::size_t bin);

/// All of a source.
Summary summarise(const Source& source, unsigned jobs, const DataLimits& limits);

} // namespace tikc::data
