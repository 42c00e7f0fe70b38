#include "trainers/BatchTally.h"

#include "support/Check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tikc::trainers {
namespace {

/// verl clamps log-ratios to this before it takes their exponential.
constexpr double heldTo = 20;

double held(double x) { return std::isnan(x) ? x : std::clamp(x, -heldTo, heldTo); }
double capped(double weight, double cap) { return weight > cap ? cap : weight; }
double is(bool condition, double of) { return std::isnan(of) ? of : condition ? 1 : 0; }

/// e^x, and what is near it, so that each takes one exponential at most.
struct Ratio {
  double x = 0, weight = 0, excess = 0; // e^x, e^x - 1

  explicit Ratio(double of) : x(of), weight(std::exp(of)), excess(std::expm1(of)) {}
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

void Moments::add(double value, double near) {
  ++count_;
  const double above = value - near;
  sum_ += above;
  square_ += above * above;
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
  double count = 0;
  double train = 0, infer = 0, x = 0, absolute = 0, weight = 0, cappedWeight = 0;
  double safeX = 0, safeHalfSquare = 0, safeLowVariance = 0;
};

BatchTally::BatchTally(Trainer trainer, std::optional<double> cap)
    : trainer_(trainer), cap_(cap.value_or(rowOf(trainer).cap)) {
  for (const TrainerFigure& each : figuresOf(trainer))
    wanted_[static_cast<std::size_t>(each.term)] = true;
}

void BatchTally::add(Term term, double value) {
  if (wants(term))
    terms_[static_cast<std::size_t>(term)].add(value, rowOf(term).near);
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
  ++tokens_;
  add(Term::MinusX, -x);
  add(Term::AbsoluteX, std::abs(x));
  add(Term::KlLowVariance, ratio.excess - x);
  add(Term::KlLowVarianceReversed, ratio.inverseExcess() + x);
  add(Term::MultiplicativeError, x < 0 ? ratio.inverse() : ratio.weight);
  add(Term::Weight, ratio.weight);
  add(Term::WeightSquareExcess, ratio.heldSquareExcess());
  add(Term::CappedWeight, cappedWeight);
  add(Term::IsAboveCap, is(weight > cap_, weight));
  add(Term::IsBelowInverseCap, is(weight < 1 / cap_, weight));
  add(Term::IsOutsideCaps, is(weight < 1 / cap_ || weight > cap_, weight));
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
  ++into.count;
  into.train += train;
  into.infer += infer;
  into.x += x;
  into.absolute += std::abs(x);
  into.weight += weight;
  into.cappedWeight += cappedWeight;
  into.safeX += safeX;
  into.safeHalfSquare += safeHalfSquare;
  into.safeLowVariance += safeLowVariance;
}

void BatchTally::add(std::span<const float> train, std::span<const float> infer,
                     std::span<const std::uint8_t> mask) {
  Sums of;
  for (std::size_t i = 0; i < train.size(); ++i)
    if (mask.empty() || mask[i] != 0)
      addToken(static_cast<double>(train[i]), static_cast<double>(infer[i]), of);
  const double count = std::max(of.count, 1.0);
  add(Term::TrainerLoss, -of.train / count);
  add(Term::TrainerPerplexity, std::exp(-of.train / count));
  add(Term::ServerLoss, -of.infer / count);
  add(Term::ServerPerplexity, std::exp(-of.infer / count));
  add(Term::MeanMinusX, -of.x / count);
  add(Term::AbsoluteMeanX, std::abs(of.x / count));
  add(Term::PerplexityRatio, std::exp(-of.x / count));
  add(Term::MeanAbsoluteX, of.absolute / count);
  add(Term::SequenceSquareExcess, std::expm1(2 * held(of.x)));
  const double weight = of.weight / count, cappedWeight = of.cappedWeight / count;
  add(Term::MeanCappedWeight, cappedWeight);
  add(Term::MeanCappedDeviation, std::abs(cappedWeight - 1));
  add(Term::IsMeanAboveCap, is(weight > cap_, weight));
  add(Term::IsMeanBelowInverseCap, is(weight < 1 / cap_, weight));
  if (of.count > 0) {
    add(Term::MeanSafeMinusX, -of.safeX / count);
    add(Term::MeanSafeHalfSquare, of.safeHalfSquare / count);
    add(Term::MeanSafeLowVariance, of.safeLowVariance / count);
  }
  const double whole = std::exp(of.x);
  add(Term::KeptSequenceWeight, whole > cap_ ? 0 : whole);
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

double BatchTally::value(const TrainerFigure& of) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (of.reduction == Reduction::AnyToken)
    return tokens_ > 0 ? 1 : 0;
  const Moments& from = momentsOf(of.term);
  if (rowOf(of.term).unit == TermUnit::Row ? from.count() == 0 : tokens_ == 0)
    return none;
  if (const auto level = levelOf(of.reduction))
    return quantile(of.term, *level);
  const auto count = static_cast<double>(from.count());
  const double near = rowOf(of.term).near;
  switch (of.reduction) {
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
