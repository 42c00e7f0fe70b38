#pragma once

#include "trainers/TrainerFigures.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace tikc::trainers {

/// Sums and extremes of numbers that are mostly close to one value. They are kept relative to it,
/// so that deviations far smaller than the numbers are not lost. Moments add up. NaN stays NaN.
class Moments {
public:
  /// Adds a number `times` times.
  void add(double value, double near, std::uint64_t times = 1);
  void add(const Moments& other);

  std::uint64_t count() const { return count_; }
  double mean(double near) const { return near + sum_ / static_cast<double>(count_); }
  /// Returns the sum of squared deviations from the mean.
  double squares() const;
  double meanSquare(double near) const;
  double largest() const { return isNumber() ? largest_ : sum_ * 0; }
  double smallest() const { return isNumber() ? smallest_ : sum_ * 0; }

private:
  bool isNumber() const { return sum_ == sum_; }

  std::uint64_t count_ = 0;
  double sum_ = 0, square_ = 0; // of the numbers minus `near`
  double largest_ = -std::numeric_limits<double>::infinity();
  double smallest_ = std::numeric_limits<double>::infinity();
};

/// The figures of a row: p is the trainer's distribution, and q the server's.
struct RowNumbers {
  double divergence = 0;       // from p to q, over tokens whose p is above e^-16
  double train = 0, infer = 0; // the log-probs of the token after the row
  bool isSameTop = false;
};

/// Computes a trainer's figures of one batch in one pass.
class BatchTally {
public:
  explicit BatchTally(Trainer trainer, std::optional<double> cap = {});

  /// Adds a response; with a mask, tokens with 0 do not count.
  void add(std::span<const float> train, std::span<const float> infer,
           std::span<const std::uint8_t> mask);
  void add(const RowNumbers& row);
  void add(const BatchTally& other);
  /// Returns whether the two tallies can be added.
  bool isOneWith(const BatchTally& other) const {
    return trainer_ == other.trainer_ && cap_ == other.cap_;
  }

  Trainer trainer() const { return trainer_; }
  double cap() const { return cap_; }
  /// Returns a figure's value. Without a token that counts, or without rows, it is NaN, and
  /// `AnyToken` is 0.
  double value(const TrainerFigure& figure) const;

private:
  struct Sums; // of a response
  void addToken(double train, double infer, Sums& into);
  void addSequence(const Sums& sums);
  void addRejection(const Sums& sums);
  void add(Term term, double value, std::uint64_t times = 1);
  bool wants(Term term) const { return wanted_[static_cast<std::size_t>(term)]; }
  const Moments& momentsOf(Term term) const { return terms_[static_cast<std::size_t>(term)]; }
  double correlation() const;
  double quantile(Term term, double level) const;

  Trainer trainer_;
  double cap_;
  std::uint64_t tokens_ = 0;
  std::array<bool, termCount> wanted_{}; // by the trainer's figures
  std::array<Moments, termCount> terms_;
  Moments trainerProbabilities_, serverProbabilities_; // relative to 1
  double product_ = 0;                                 // the sum of products of both probabilities
  std::array<std::vector<float>, termCount> values_;   // values of rows, for quantiles
};

} // namespace tikc::trainers
