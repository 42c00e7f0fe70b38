#include "trainers/BatchTally.h"

#include "support/Check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tikc::trainers {
namespace {

/// verl clamps log-ratios to this before it takes their exponential.
constexpr double heldTo = 20;
/// ms-swift and miles limit a token's k3 to this.
constexpr double mostLowVariance = 10;
/// torchtitan counts a token as different where it is further than this.
constexpr double mostAlike = 1e-6;

double held(double x) { return std::isnan(x) ? x : std::clamp(x, -heldTo, heldTo); }
double capped(double weight, double cap) { return weight > cap ? cap : weight; }
/// NaN where either is.
double larger(double a, double b) { return std::isnan(a) || b <= a ? a : b; }
double is(bool condition, double value) { return std::isnan(value) ? value : condition ? 1 : 0; }

/// e^x, and what is near it, so that each takes one exponential at most.
struct Ratio {
  double x = 0, weight = 0, excess = 0; // e^x, e^x - 1

  explicit Ratio(double gap) : x(gap), weight(std::exp(gap)), excess(std::expm1(gap)) {}
  bool isHeld() const { return x > heldTo || x < -heldTo; }
  double held() const { return isHeld() ? std::exp(std::copysign(heldTo, x)) : weight; }
  double heldSquareExcess() const {
    return isHeld() ? std::expm1(std::copysign(2 * heldTo, x)) : excess * (2 + excess);
  }
  double inverse() const { return 1 / weight; }
  /// e^-x - 1
  double inverseExcess() const { return std::isinf(weight) ? -1 : -excess / weight; }
  /// With m the mean of p and q, half of both sides' k3 to it: (log(m/p) + log(m/q)) / 2.
  double jensenShannon() const {
    return std::isinf(weight) ? weight : std::log1p(excess * (excess / weight) / 4) / 2;
  }
};

} // namespace

void Moments::add(double value, double near, std::uint64_t times) {
  const double above = value - near, weight = static_cast<double>(times);
  count_ += times;
  sum_ += weight * above;
  square_ += weight * above * above;
  largest_ = std::max(largest_, value);
  smallest_ = std::min(smallest_, value);
}

void Moments::add(const Moments& other) {
  count_ += other.count_;
  sum_ += other.sum_;
  square_ += other.square_;
  largest_ = std::max(largest_, other.largest_);
  smallest_ = std::min(smallest_, other.smallest_);
}

double Moments::squares() const {
  const double out = square_ - sum_ * sum_ / static_cast<double>(count_);
  return out < 0 ? 0 : out;
}

double Moments::meanSquare(double near) const {
  const auto count = static_cast<double>(count_);
  return near * near + 2 * near * sum_ / count + square_ / count;
}

struct BatchTally::Sums {
  std::uint64_t tokens = 0;
  double train = 0, infer = 0, x = 0, absolute = 0, weight = 0, cappedWeight = 0;
  double safeX = 0, safeHalfSquare = 0, safeLowVariance = 0;
  double keptWeight = 0, lowVarianceTo10 = 0, rawWeight = 0, weightGap = 0, aboveCap = 0;
  double largestHalfSquare = 0, largestLowVariance = 0;

  /// As trainers divide: what has no tokens has means of 0.
  double mean(double sum) const {
    return sum / static_cast<double>(std::max<std::uint64_t>(tokens, 1));
  }
};

BatchTally::BatchTally(Trainer trainer, std::optional<double> cap)
    : trainer_(trainer), cap_(cap.value_or(rowOf(trainer).cap)) {
  for (const TrainerFigure& each : figuresOf(trainer))
    wanted_[static_cast<std::size_t>(each.term)] = true;
}

void BatchTally::add(Term term, double value, std::uint64_t times) {
  if (wants(term))
    terms_[static_cast<std::size_t>(term)].add(value, rowOf(term).near, times);
}

void BatchTally::add(const RowNumbers& row) {
  const double rise = std::exp(row.infer) - std::exp(row.train);
  add(Term::Divergence, row.divergence);
  add(Term::ProbabilityRise, rise);
  add(Term::IsSameTop, row.isSameTop ? 1 : 0);
  add(Term::RowTrainerLoss, -row.train);
  add(Term::RowServerLoss, -row.infer);
  add(Term::LossRise, row.train - row.infer);
  // As theirs, in single precision: far less than the rows themselves.
  for (const auto& [term, value] :
       {std::pair(Term::Divergence, row.divergence), std::pair(Term::ProbabilityRise, rise)})
    if (wants(term))
      values_[static_cast<std::size_t>(term)].push_back(static_cast<float>(value));
}

void BatchTally::addToken(double train, double infer, Sums& into) {
  const Ratio ratio(train - infer);
  const double x = ratio.x, weight = ratio.held(), cappedWeight = capped(weight, cap_);
  const double safeX = held(x), safeHalfSquare = safeX * safeX / 2;
  const double safeLowVariance = (ratio.isHeld() ? std::expm1(safeX) : ratio.excess) - safeX;
  const bool isOutside = weight < 1 / cap_ || weight > cap_;
  const double keptWeight = isOutside ? 0 : weight;
  const double lowVarianceTo10 = capped(ratio.excess - x, mostLowVariance);
  ++tokens_;
  add(Term::MinusX, -x);
  add(Term::Difference, x);
  add(Term::HalfSquare, x * x / 2);
  add(Term::IsApart, is(std::abs(x) > mostAlike, x));
  add(Term::LowVarianceTo10, lowVarianceTo10);
  add(Term::KeptWeight, keptWeight);
  add(Term::ClampedWeight, weight < 1 / cap_ ? 1 / cap_ : cappedWeight);
  add(Term::AbsoluteX, std::abs(x));
  add(Term::KlLowVariance, ratio.excess - x);
  add(Term::KlLowVarianceReversed, ratio.inverseExcess() + x);
  add(Term::MultiplicativeError, x < 0 ? ratio.inverse() : ratio.weight);
  add(Term::Weight, ratio.weight);
  add(Term::WeightSquareExcess, ratio.heldSquareExcess());
  add(Term::CappedWeight, cappedWeight);
  add(Term::IsAboveCap, is(weight > cap_, weight));
  add(Term::IsBelowInverseCap, is(weight < 1 / cap_, weight));
  add(Term::IsOutsideCaps, is(isOutside, weight));
  add(Term::SafeMinusX, -safeX);
  add(Term::SafeHalfSquare, safeHalfSquare);
  add(Term::SafeLowVariance, safeLowVariance);
  if (wants(Term::JensenShannonSample))
    add(Term::JensenShannonSample, ratio.jensenShannon());
  if (wants(Term::ProbabilityGap)) {
    const double p = std::exp(train), q = std::exp(infer);
    add(Term::ProbabilityGap, std::abs(p - q));
    trainerProbabilities_.add(p, 1);
    serverProbabilities_.add(q, 1);
    product_ += (p - 1) * (q - 1);
  }
  ++into.tokens;
  into.train += train;
  into.infer += infer;
  into.x += x;
  into.absolute += std::abs(x);
  into.weight += weight;
  into.cappedWeight += cappedWeight;
  into.safeX += safeX;
  into.safeHalfSquare += safeHalfSquare;
  into.safeLowVariance += safeLowVariance;
  into.keptWeight += keptWeight;
  into.lowVarianceTo10 += lowVarianceTo10;
  into.rawWeight += ratio.weight;
  into.weightGap += std::abs(ratio.excess);
  into.aboveCap += is(ratio.weight > cap_, ratio.weight);
  into.largestHalfSquare = larger(into.largestHalfSquare, safeHalfSquare);
  into.largestLowVariance = larger(into.largestLowVariance, safeLowVariance);
}

/// Weights that are products over a response.
void BatchTally::addSequence(const Sums& sums) {
  const double weight = std::exp(held(sums.x)), cappedWeight = capped(weight, cap_);
  const bool isEmpty = sums.tokens == 0;
  const double counted = isEmpty ? 0 : cappedWeight;
  add(Term::SequenceWeight, sums.x > heldTo ? weight : std::exp(sums.x));
  add(Term::CappedSequenceWeight, counted);
  add(Term::CappedSequenceDeviation, std::abs(counted - 1));
  add(Term::IsSequenceAboveCap, is(weight > cap_, weight));
  add(Term::IsSequenceBelowInverseCap, is(weight < 1 / cap_, weight));
  add(Term::IsSequenceBelowOrEmpty, is(isEmpty || weight < 1 / cap_, weight));
  add(Term::CappedSequenceWeightOfToken, cappedWeight, sums.tokens);
  if (!isEmpty)
    add(Term::NormalisingSequenceWeight, cappedWeight);
  const double whole = std::exp(sums.x);
  add(Term::KeptSequenceWeight, whole > cap_ ? 0 : whole);
}

/// What verl compares with the thresholds of rollout_rs.
void BatchTally::addRejection(const Sums& sums) {
  if (sums.tokens == 0)
    return;
  add(Term::MeanSafeMinusX, sums.mean(-sums.safeX));
  add(Term::SafeAbsoluteMeanX, sums.mean(std::abs(sums.safeX)));
  add(Term::MeanSafeHalfSquare, sums.mean(sums.safeHalfSquare));
  add(Term::MeanSafeLowVariance, sums.mean(sums.safeLowVariance));
  add(Term::SumSafeMinusX, -sums.safeX);
  add(Term::SumMinusXOfToken, -sums.safeX, sums.tokens);
  add(Term::SafeAbsoluteSumX, std::abs(sums.safeX));
  add(Term::SumSafeHalfSquare, sums.safeHalfSquare);
  add(Term::SumHalfSquareOfToken, sums.safeHalfSquare, sums.tokens);
  add(Term::SumSafeLowVariance, sums.safeLowVariance);
  add(Term::SumLowVarianceOfToken, sums.safeLowVariance, sums.tokens);
  add(Term::LargestSafeHalfSquare, sums.largestHalfSquare);
  add(Term::LargestHalfSquareOfToken, sums.largestHalfSquare, sums.tokens);
  add(Term::LargestSafeLowVariance, sums.largestLowVariance);
  add(Term::LargestLowVarianceOfToken, sums.largestLowVariance, sums.tokens);
}

void BatchTally::add(std::span<const float> train, std::span<const float> infer,
                     std::span<const std::uint8_t> mask) {
  Sums sums;
  for (std::size_t i = 0; i < train.size(); ++i)
    if (mask.empty() || mask[i] != 0)
      addToken(static_cast<double>(train[i]), static_cast<double>(infer[i]), sums);
  add(Term::TrainerLoss, sums.mean(-sums.train));
  add(Term::TrainerPerplexity, std::exp(sums.mean(-sums.train)));
  add(Term::ServerLoss, sums.mean(-sums.infer));
  add(Term::ServerPerplexity, std::exp(sums.mean(-sums.infer)));
  add(Term::MeanMinusX, sums.mean(-sums.x));
  add(Term::AbsoluteMeanX, std::abs(sums.mean(sums.x)));
  add(Term::PerplexityRatio, std::exp(sums.mean(-sums.x)));
  add(Term::MeanAbsoluteX, sums.mean(sums.absolute));
  add(Term::SequenceSquareExcess, std::expm1(2 * held(sums.x)));
  add(Term::GeometricSquareExcess, std::expm1(2 * held(sums.mean(sums.x))));
  const double weight = sums.mean(sums.weight), cappedWeight = sums.mean(sums.cappedWeight);
  add(Term::MeanCappedWeight, cappedWeight);
  add(Term::MeanCappedDeviation, std::abs(cappedWeight - 1));
  add(Term::IsMeanAboveCap, is(weight > cap_, weight));
  add(Term::IsMeanBelowInverseCap, is(weight < 1 / cap_, weight));
  add(Term::MeanKeptWeight, sums.mean(sums.keptWeight));
  add(Term::MeanKeptDeviation, std::abs(sums.mean(sums.keptWeight) - 1));
  add(Term::MeanLowVarianceTo10, sums.mean(sums.lowVarianceTo10));
  add(Term::MeanWeight, sums.mean(sums.rawWeight));
  add(Term::MeanWeightGap, sums.mean(sums.weightGap));
  add(Term::ShareAboveCap, sums.mean(sums.aboveCap));
  addSequence(sums);
  addRejection(sums);
}

void BatchTally::add(const BatchTally& other) {
  tokens_ += other.tokens_;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    terms_[i].add(other.terms_[i]);
    values_[i].insert(values_[i].end(), other.values_[i].begin(), other.values_[i].end());
  }
  trainerProbabilities_.add(other.trainerProbabilities_);
  serverProbabilities_.add(other.serverProbabilities_);
  product_ += other.product_;
}

double BatchTally::correlation() const {
  const auto count = static_cast<double>(tokens_);
  const double train = trainerProbabilities_.mean(0), infer = serverProbabilities_.mean(0);
  const double together = product_ - train * infer * count;
  const double scale = trainerProbabilities_.squares() * serverProbabilities_.squares();
  return std::clamp(together / std::sqrt(scale), -1.0, 1.0); // rounding alone leads out of it
}

/// Between the two values next to it, as they have it.
double BatchTally::quantile(Term term, double level) const {
  std::vector<float> values = values_[static_cast<std::size_t>(term)];
  if (std::any_of(values.begin(), values.end(), [](float each) { return std::isnan(each); }))
    return std::numeric_limits<double>::quiet_NaN();
  const double at = level * static_cast<double>(values.size() - 1);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), below, values.end());
  const double low = static_cast<double>(*below), part = at - std::floor(at);
  if (part == 0)
    return low;
  return (1 - part) * low + part * static_cast<double>(*std::min_element(below + 1, values.end()));
}

double BatchTally::value(const TrainerFigure& figure) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (figure.reduction == Reduction::AnyToken)
    return tokens_ > 0 ? 1 : 0;
  const Moments& from = momentsOf(figure.term);
  if (rowOf(figure.term).unit == TermUnit::Row ? from.count() == 0 : tokens_ == 0)
    return none;
  if (const auto level = levelOf(figure.reduction))
    return quantile(figure.term, *level);
  const auto count = static_cast<double>(from.count());
  const double near = rowOf(figure.term).near;
  switch (figure.reduction) {
  case Reduction::Mean:
    return from.mean(near);
  case Reduction::Largest:
    return from.largest();
  case Reduction::Smallest:
    return from.smallest();
  case Reduction::Spread:
    return std::sqrt(from.squares() / count);
  case Reduction::SampleSpread:
    return from.count() == 1 ? 0 : std::sqrt(from.squares() / (count - 1));
  case Reduction::EffectiveShare: {
    // Never above 1, also of weights so small that their squares are lost next to `near`.
    const double mean = from.mean(near), square = mean * mean;
    return square / (square + from.squares() / count);
  }
  case Reduction::Correlation:
    return correlation();
  case Reduction::RootMeanSquare:
    return std::sqrt(from.meanSquare(near));
  case Reduction::StandardError:
    return std::sqrt(from.squares() / count / (count - 1));
  case Reduction::ExponentOfMean:
    return std::exp(from.mean(near));
  default:
    break; // quantiles are above
  }
  TIKC_CHECK(false, "each reduction has its case");
}

} // namespace tikc::trainers
