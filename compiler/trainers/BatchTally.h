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

/// Sums and extremes of numbers that mostly are near one, from which they are kept: so a deviation
/// that is far smaller than the numbers is not lost. They add up. What is no number stays one.
class Moments {
public:
  /// `times`: of how many it is the number.
  void add(double value, double near, std::uint64_t times = 1);
  void add(const Moments& other);

  std::uint64_t count() const { return count_; }
  double mean(double near) const { return near + sum_ / static_cast<double>(count_); }
  /// The sum of squared deviations from the mean.
  double squares() const;
  double meanSquare(double near) const;
  double largest() const { return isNumber() ? largest_ : sum_ * 0; }
  double smallest() const { return isNumber() ? smallest_ : sum_ * 0; }

private:
  bool isNumber() const { return sum_ == sum_; }

  std::uint64_t count_ = 0;
  double sum_ = 0, square_ = 0; // of what is above `near`
  double largest_ = -std::numeric_limits<double>::infinity();
  double smallest_ = std::numeric_limits<double>::infinity();
};

/// What one row says of the token that came after it, p the trainer's law and q the server's.
struct RowNumbers {
  double divergence = 0;       // of p to q, of tokens whose p is above e^-16
  double train = 0, infer = 0; // the token's log-probs
  bool isSameTop = false;
};

/// What the figures of a trainer are made of: the numbers of one batch, in one pass.
class BatchTally {
public:
  explicit BatchTally(Trainer trainer, std::optional<double> cap = {});

  /// A response; where a mask is given, tokens with 0 do not count.
  void add(std::span<const float> train, std::span<const float> infer,
           std::span<const std::uint8_t> mask);
  void add(const RowNumbers& row);
  void add(const BatchTally& other);
  /// Whether what either has can be added to what the other has.
  bool isOneWith(const BatchTally& other) const {
    return trainer_ == other.trainer_ && cap_ == other.cap_;
  }

  Trainer trainer() const { return trainer_; }
  double cap() const { return cap_; }
  /// NaN where the batch has no token that counts, or no row; `AnyToken` is 0 then.
  double value(const TrainerFigure& of) const;

private:
  struct Sums; // of a response
  void addToken(double train, double infer, Sums& into);
  void addSequence(const Sums& of);
  void addRejection(const Sums& of);
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
  Moments trainerProbabilities_, serverProbabilities_; // kept from 1
  double product_ = 0;                                 // of both probabilities
  std::array<std::vector<float>, termCount> values_;   // of rows, of which quantiles are asked
};

} // namespace tikc::trainers
