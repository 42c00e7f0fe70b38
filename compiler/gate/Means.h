#pragma once

#include "measure/UnitSums.h"

#include <optional>

/// Intervals for the mean over all responses that will be served, from sums over responses; valid
/// at any time.
namespace tikc::gate {

/// The range of a figure's values; an unknown end is infinite.
struct ValueEnds {
  double low, high;
};

/// Evidence against values of a mean, from responses in sequence.
///
/// A response has a sum S over n <= `longest` observations, and the mean is E S / E n. Under "at
/// least m" the products of 1 + λ(mn − S), λ·(high − m)·longest < 1, are never negative and do not
/// grow on average, whatever came before (S-BET). Under "at most m" those of 1 + λ(S − mn), λ·(m −
/// low)·longest < 1, have this property and need no upper end of the figure.
///
/// As log(1 + ly) >= ly + (log(1 − l) + l)y² for y >= −1 (S-EBCS), sums give a lower bound on the
/// logarithm of the product. A mean over a fixed grid of λ is such a process as well. It ever
/// reaches 1/alpha with probability at most alpha, so any number of looks is valid, and the
/// division into pieces does not matter. The grid does not depend on m, so the products only fall
/// as m gets nearer to the data; disproving a limit disproves everything beyond it.
///
/// For groups of `shared` responses to one prompt, which may be all alike, the process is the
/// geometric mean of `shared` such processes, one for each place in the group. It is at most their
/// mean.
class MeanEvidence {
public:
  struct Sums {
    double units = 0, total = 0, squares = 0, sizes = 0, sizeSquares = 0, cross = 0, longest = 1;
  };
  /// Returns sums over observations, for responses of at most `longest` observations.
  static Sums ofObservations(const measure::UnitSums& from, double longest);
  /// Returns sums in which each response counts by its mean, whatever its length.
  static Sums ofMeans(const measure::UnitSums& from);

  /// `target`, the limit of the mean, sets the scale of the stakes.
  MeanEvidence(const Sums& sums, ValueEnds extent, double target, double shared);

  double value() const { return sums_.total / sums_.sizes; }
  /// Logarithms; -infinity if nothing can be concluded.
  double againstAtLeast(double mean) const;
  double againstAtMost(double mean) const;
  /// Each end is wrong with probability at most alpha, at all times together; infinite if there is
  /// no end.
  ValueEnds limits(double alpha) const;
  /// Returns how many similar units show that the mean is below, or above. Nothing if it is not, or
  /// if the number is too large to count.
  std::optional<double> unitsToShowBelow(double mean, double alpha) const;
  std::optional<double> unitsToShowAbove(double mean, double alpha) const;

private:
  double process(double mean, double sign, double scale, double anchor) const;
  template <class Test> std::optional<double> unitsUntil(Test&& test) const;

  Sums sums_;
  ValueEnds extent_;
  double asked_, shared_;
};

/// How the sums of a row are read; those of accepted runs are read alike.
struct MeanReading {
  ValueEnds extent{};
  double target = 0, longest = 0; // longest is 0 if each response counts by its mean
  double shared = 1, alpha = 0;
  double unit = 1; // in base units
  MeanEvidence of(const measure::UnitSums& sums) const;
};

/// Returns the fewest units, of `longest` observations at the lower end, that show a mean below
/// `mean`.
std::optional<double> fewestBelow(double mean, ValueEnds extent, double shared, double alpha);

} // namespace tikc::gate
