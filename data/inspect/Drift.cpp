#include "data/inspect/Drift.h"

#include <algorithm>
#include <cmath>

namespace tikc::data {
namespace {

// A weight that is less than it was is a smaller bet won, so that capital proves what it did.
constexpr double largestWeight = 0x1p30;

} // namespace

void Drift::add(double value, double more) {
  ++tokens;
  x += value;
  absolute += std::abs(value);
  square += value * value;
  excess += more;
  excessSquare += more * more;
  largest = std::max(largest, std::abs(value));
}

void Drift::closeResponse(double sum, std::uint64_t length) {
  const auto n = static_cast<double>(length);
  ++responses;
  sumSquare += sum * sum;
  sumLength += sum * n;
  lengthSquare += n * n;
}

void Drift::add(const Drift& other) {
  tokens += other.tokens;
  responses += other.responses;
  x += other.x;
  absolute += other.absolute;
  square += other.square;
  excess += other.excess;
  excessSquare += other.excessSquare;
  sumSquare += other.sumSquare;
  sumLength += other.sumLength;
  lengthSquare += other.lengthSquare;
  largest = std::max(largest, other.largest);
}

double Drift::standardError() const {
  const auto n = static_cast<double>(tokens);
  const double mean = excess / n;
  // Of few responses the spread between them says little; of one, nothing.
  const double spread = responses >= 10
                            ? sumSquare - 2 * mean * sumLength + mean * mean * lengthSquare
                            : excessSquare - n * mean * mean;
  return std::sqrt(std::max(spread, 0.0)) / n;
}

void Bets::add(double weight) {
  const double gain = std::min(weight, largestWeight) - 1;
  for (std::size_t i = 0; i < shares.size(); ++i)
    capital_[i] *= 1 + shares[i] * gain;
  if (++unsettled_ == 16)
    settle();
}

void Bets::settle() {
  for (std::size_t i = 0; i < shares.size(); ++i) {
    settled_[i] += std::log(capital_[i]);
    capital_[i] = 1;
  }
  unsettled_ = 0;
}

void Bets::add(const Bets& other) {
  settle();
  Bets more = other;
  more.settle();
  for (std::size_t i = 0; i < shares.size(); ++i)
    settled_[i] += more.settled_[i];
}

double Bets::logCapital() const {
  Bets done = *this;
  done.settle();
  const double largest = *std::max_element(done.settled_.begin(), done.settled_.end());
  double sum = 0;
  for (const double each : done.settled_)
    sum += std::exp(each - largest);
  return largest + std::log(sum / static_cast<double>(shares.size()));
}

void LagProducts::add(const LagProducts& other) {
  pairs += other.pairs;
  train += other.train;
  infer += other.infer;
  for (std::size_t i = 0; i < products.size(); ++i)
    products[i] += other.products[i];
}

std::array<double, 3> LagProducts::covariances() const {
  const auto n = static_cast<double>(pairs);
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < products.size(); ++i)
    out[i] = products[i] / n - train / n * (infer / n);
  return out;
}

} // namespace tikc::data
