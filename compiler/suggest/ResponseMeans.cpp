#include "suggest/ResponseMeans.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tikc::suggest {

void ResponseMeans::add(double value) {
  ++count;
  sum += value;
  square += value * value;
}

void ResponseMeans::add(const ResponseMeans& other) {
  count += other.count;
  sum += other.sum;
  square += other.square;
}

ResponseMeans ResponseMeans::without(const ResponseMeans& part) const {
  return {count - part.count, sum - part.sum, square - part.square};
}

double ResponseMeans::variance() const {
  if (count < 2)
    return std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(count);
  return std::max(0.0, (square - sum * sum / n) / (n - 1));
}

double ResponseMeans::standardError() const {
  return std::sqrt(variance() / static_cast<double>(count));
}

double distance(const ResponseMeans& a, const ResponseMeans& b) {
  const double error = std::hypot(a.standardError(), b.standardError());
  const double difference = std::abs(a.mean() - b.mean());
  if (!std::isfinite(error) || !(difference > 0))
    return 0;
  return difference / error;
}

double chanceOf(double errors) { return std::erfc(errors / std::sqrt(2.0)); }

double errorsAt(double chance) {
  double low = 0, high = 40; // past which the law is 0
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (chanceOf(middle) > chance ? low : high) = middle;
  }
  return high;
}

void Trend::add(double at, double value) {
  ++count;
  x += at;
  y += value;
  xx += at * at;
  yy += value * value;
  xy += at * value;
}

void Trend::add(const Trend& other) {
  count += other.count;
  x += other.x;
  y += other.y;
  xx += other.xx;
  yy += other.yy;
  xy += other.xy;
}

double Trend::spread() const { return xx - x * x / static_cast<double>(count); }

bool Trend::isAny() const { return count > 2 && spread() > xx * 1e-12; }

double Trend::slope() const { return (xy - x * y / static_cast<double>(count)) / spread(); }

double Trend::standardError() const {
  const auto n = static_cast<double>(count);
  const double left = yy - y * y / n - slope() * slope() * spread();
  return std::sqrt(std::max(0.0, left) / (n - 2) / spread());
}

} // namespace tikc::suggest
