#pragma once

#include <cstdint>

namespace tikc::suggest {

/// Sums over responses of a number that each has one of. Tokens of a response depend on one
/// another, so that responses are what is counted. They add up.
struct ResponseMeans {
  std::uint64_t count = 0;
  double sum = 0, square = 0;

  void add(double value);
  void add(const ResponseMeans& other);
  /// What is left where the other is a part of it.
  ResponseMeans without(const ResponseMeans& part) const;

  double mean() const { return sum / static_cast<double>(count); }
  /// Of the numbers, and of their mean; of fewer than two infinite.
  double variance() const;
  double standardError() const;
};

/// How far two means are apart in standard errors.
double distance(const ResponseMeans& a, const ResponseMeans& b);
/// How often at most means that are equal are so many standard errors apart: by the normal law, so
/// of thirty responses and more.
double chanceOf(double errors);
/// Standard errors that a mean is off by with at most this chance.
double errorsAt(double chance);

/// The line through pairs of numbers. They add up.
struct Trend {
  std::uint64_t count = 0;
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;

  void add(double at, double value);
  void add(const Trend& other);
  /// Nothing of what lies at one place, or of fewer than three.
  bool isAny() const;
  double slope() const;
  double standardError() const;

private:
  double spread() const;
};

} // namespace tikc::suggest
