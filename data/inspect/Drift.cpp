#include "data/inspect/Drift.h"

#include <algorithm>
#include <cmath>

namespace tikc::data {
namespace {

/// Of the ratio of two sums over responses, of which the squares and the products add up as well.
double errorOfRatio(double ratio, double square, double product, double otherSquare,
                    double otherSum) {
  const double spread = square - 2 * ratio * product + ratio * ratio * otherSquare;
  return std::sqrt(std::max(spread, 0.0)) / otherSum;
}

} // namespace

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

} // namespace tikc::data
