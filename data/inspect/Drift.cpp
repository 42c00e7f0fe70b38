#include "data/inspect/Drift.h"

#include <algorithm>
#include <cmath>

namespace tikc::data {
namespace {

// A weight that is less than it was is a smaller bet won, so that capital proves what it did.
constexpr double largestWeight = 0x1p30;

/// Of the ratio of two sums over responses, of which the squares and the products add up as well.
double errorOfRatio(double ratio, double square, double product, double otherSquare,
                    double otherSum) {
  const double spread = square - 2 * ratio * product + ratio * ratio * otherSquare;
  return std::sqrt(std::max(spread, 0.0)) / otherSum;
}

} // namespace

TokenDrift TokenDrift::of(double x, float infer) {
  return {x, std::expm1(std::min(x, largestExponent)),
          1 - std::exp(std::min(static_cast<double>(infer), 0.0))};
}

void Drift::add(const TokenDrift& token) {
  ++tokens;
  x += token.x;
  absolute += std::abs(token.x);
  square += token.x * token.x;
  excess += token.more;
  excessSquare += token.more * token.more;
  room += token.room;
  largest = std::max(largest, std::abs(token.x));
}

void Drift::addSums(const Drift& other) {
  tokens += other.tokens;
  x += other.x;
  absolute += other.absolute;
  square += other.square;
  excess += other.excess;
  excessSquare += other.excessSquare;
  room += other.room;
  largest = std::max(largest, other.largest);
}

void Drift::addResponse(const Drift& tokensOfIt) {
  if (tokensOfIt.tokens == 0)
    return;
  addSums(tokensOfIt);
  const auto n = static_cast<double>(tokensOfIt.tokens);
  ++responses;
  sumSquare += tokensOfIt.excess * tokensOfIt.excess;
  sumLength += tokensOfIt.excess * n;
  lengthSquare += n * n;
  absoluteSquare += tokensOfIt.absolute * tokensOfIt.absolute;
  absoluteLength += tokensOfIt.absolute * n;
  absoluteRoom += tokensOfIt.absolute * tokensOfIt.room;
  roomSquare += tokensOfIt.room * tokensOfIt.room;
}

void Drift::add(const Drift& other) {
  addSums(other);
  responses += other.responses;
  sumSquare += other.sumSquare;
  sumLength += other.sumLength;
  lengthSquare += other.lengthSquare;
  absoluteSquare += other.absoluteSquare;
  absoluteLength += other.absoluteLength;
  absoluteRoom += other.absoluteRoom;
  roomSquare += other.roomSquare;
}

double Drift::standardError() const {
  const auto n = static_cast<double>(tokens);
  const double mean = excess / n;
  // Of few responses the spread between them says little; of one, nothing.
  if (responses >= 10)
    return errorOfRatio(mean, sumSquare, sumLength, lengthSquare, n);
  return std::sqrt(std::max(excessSquare - n * mean * mean, 0.0)) / n;
}

double Drift::absoluteError() const {
  return errorOfRatio(meanAbsolute(), absoluteSquare, absoluteLength, lengthSquare,
                      static_cast<double>(tokens));
}

double Drift::levelError() const {
  return errorOfRatio(level(), absoluteSquare, absoluteRoom, roomSquare, room);
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

} // namespace tikc::data
