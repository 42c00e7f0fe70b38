#pragma once

#include <cstdint>

namespace tikc::suggest {

/// Sums of one number per response. Tokens of a response are not independent, so responses are the
/// units. Sums add up.
struct ResponseMeans {
  std::uint64_t count = 0;
  double sum = 0, square = 0;

  void add(double value);
  void add(const ResponseMeans& other);
  /// Returns the rest without a part.
  ResponseMeans without(const ResponseMeans& part) const;

  double mean() const { return sum / static_cast<double>(count); }
  /// The variance of the numbers and the error of their mean; infinite for fewer than two.
  double variance() const;
  double standardError() const;
};

/// Returns the distance of two means in standard errors.
double distance(const ResponseMeans& a, const ResponseMeans& b);
/// Returns the probability that equal means are at least this many standard errors apart. It uses
/// the normal distribution, so it needs about thirty responses.
double chanceOf(double errors);
/// Returns the number of standard errors that a mean exceeds with at most this probability.
double errorsAt(double chance);

/// A regression line through pairs of numbers. Trends add up.
struct Trend {
  std::uint64_t count = 0;
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;

  void add(double at, double value);
  void add(const Trend& other);
  /// Returns false for fewer than three pairs, or if all are at one place.
  bool isAny() const;
  double slope() const;
  double standardError() const;

private:
  double spread() const;
};

} // namespace tikc::suggest
