#include "trainers/BatchTally.h"

#include "support/Check.h"

#include <algorithm>
#include <cmath>

namespace tikc::trainers {
namespace {

/// verl holds log-ratios to this before it takes their exponential.
constexpr double heldTo = 20;

double held(double x) { return std::isnan(x) ? x : std::clamp(x, -heldTo, heldTo); }
/// Of the smaller of both, unless one is no number.
double least(double a, double b) { return std::isnan(a) ? a : std::min(a, b); }
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
  double train = 0, infer = 0, x = 0, absolute = 0, truncated = 0, weight = 0;
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

void BatchTally::addToken(double train, double infer, Sums& into) {
  const Ratio ratio(train - infer);
  const double x = ratio.x, weight = ratio.held(), truncated = least(weight, cap_);
  ++tokens_;
  add(Term::MinusX, -x);
  add(Term::AbsoluteX, std::abs(x));
  add(Term::KlLowVariance, ratio.excess - x);
  add(Term::KlLowVarianceReversed, ratio.inverseExcess() + x);
  add(Term::MultiplicativeError, x < 0 ? ratio.inverse() : ratio.weight);
  add(Term::Weight, ratio.weight);
  add(Term::WeightSquareExcess, ratio.heldSquareExcess());
  add(Term::TruncatedWeight, truncated);
  add(Term::IsAboveCap, is(weight > cap_, weight));
  add(Term::IsBelowInverseCap, is(weight < 1 / cap_, weight));
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
  into.truncated += truncated;
  into.weight += weight;
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
  const double truncated = of.truncated / count, weight = of.weight / count;
  add(Term::MeanTruncatedWeight, truncated);
  add(Term::MeanTruncatedDeviation, std::abs(truncated - 1));
  add(Term::IsMeanAboveCap, is(weight > cap_, weight));
  add(Term::IsMeanBelowInverseCap, is(weight < 1 / cap_, weight));
  const double whole = std::exp(of.x);
  add(Term::KeptSequenceWeight, whole > cap_ ? 0 : whole);
}

void BatchTally::add(const BatchTally& other) {
  tokens_ += other.tokens_;
  for (std::size_t i = 0; i < terms_.size(); ++i)
    terms_[i].add(other.terms_[i]);
  trainerProbabilities_.add(other.trainerProbabilities_);
  serverProbabilities_.add(other.serverProbabilities_);
  product_ += other.product_;
}

double BatchTally::correlation() const {
  const auto count = static_cast<double>(tokens_);
  const double train = trainerProbabilities_.mean(0), infer = serverProbabilities_.mean(0);
  const double together = product_ - train * infer * count;
  return together / std::sqrt(trainerProbabilities_.squares() * serverProbabilities_.squares());
}

double BatchTally::value(const TrainerFigure& of) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (tokens_ == 0)
    return none;
  const Moments& from = momentsOf(of.term);
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
  case Reduction::EffectiveShare:
    return from.mean(near) * from.mean(near) / from.meanSquare(near);
  case Reduction::Correlation:
    return correlation();
  }
  TIKC_CHECK(false, "each reduction has its case");
}

} // namespace tikc::trainers
