#pragma once

#include "measure/UnitSums.h"

#include <optional>

/// What sums over responses say of a mean of all that will be served, at any time.
namespace tikc::gate {

/// Where values of a figure lie; infinite where nothing says so.
struct ValueEnds {
  double low, high;
};

/// Evidence against what a mean may be, from responses that came one after the other.
///
/// A response has a sum S over n <= `longest` observations, and the mean is E S / E n. Under "at
/// least m" the products of 1 + λ(mn − S), λ·(high − m)·longest < 1, are never negative and do not
/// grow on average, whatever came before (S-BET); under "at most m" those of 1 + λ(S − mn),
/// λ·(m − low)·longest < 1, which needs no upper end of the figure. As log(1 + ly) >= ly +
/// (log(1 − l) + l)y² for y >= −1 (S-EBCS), sums are enough for a value that is never above the
/// logarithm of the product; the mean over a fixed grid of λ is one more of the kind, and ever
/// reaches 1/alpha with probability alpha at most: so looks are free, and in which pieces the data
/// came does not matter. The grid is the same for all m, so that the products only fall where m
/// comes nearer to the data, and all that is beyond a limit is disproved together with it.
///
/// Of groups of `shared` responses to one prompt, which may be all alike, the process is the
/// geometric mean of `shared` such processes, one for each place in the group, and no more than
/// their mean.
class MeanEvidence {
public:
  struct Sums {
    double units = 0, total = 0, squares = 0, sizes = 0, sizeSquares = 0, cross = 0, longest = 1;
  };
  /// Sums over observations, of responses no longer than that.
  static Sums ofObservations(const measure::UnitSums& from, double longest);
  /// Each response counts by its mean, whatever its length.
  static Sums ofMeans(const measure::UnitSums& from);

  /// What is staked is measured by where the mean is asked to be.
  MeanEvidence(const Sums& sums, ValueEnds extent, double asked, double shared);

  double value() const { return sums_.total / sums_.sizes; }
  /// Logarithms; -infinity where nothing can be said.
  double againstAtLeast(double mean) const;
  double againstAtMost(double mean) const;
  /// Each end is beyond the mean with probability alpha at most, at all times at once; infinite
  /// where there is none.
  ValueEnds limits(double alpha) const;
  /// How many units of the same kind show that the mean is below, or above: none where it is not,
  /// or where that takes more than can be counted.
  std::optional<double> unitsToShowBelow(double mean, double alpha) const;
  std::optional<double> unitsToShowAbove(double mean, double alpha) const;

private:
  double process(double mean, double sign, double scale, double anchor) const;
  template <class Test> std::optional<double> unitsUntil(Test&& test) const;

  Sums sums_;
  ValueEnds extent_;
  double asked_, shared_;
};

/// How sums are read: those of a row, and of what accepted runs showed of the same.
struct MeanReading {
  ValueEnds extent{};
  double asked = 0, longest = 0; // longest: 0 where each response counts by its mean
  double shared = 1, alpha = 0;
  double unit = 1; // in base units
  MeanEvidence of(const measure::UnitSums& sums) const;
};

/// The fewest units of `longest` observations each, all of them at the lower end, that show a mean
/// below `mean`.
std::optional<double> fewestBelow(double mean, ValueEnds extent, double shared, double alpha);

} // namespace tikc::gate
