#pragma once

#include "checker/engine/LoadedTally.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// What a page draws besides verdicts: the windows of each check in order, and the distribution of
/// its values.
namespace tikc::measure {

/// The place of a round in the run.
struct RoundPlace {
  std::uint64_t evaluation = 0; // from 1
  std::optional<double> firstStep, lastStep;
};

/// Some consecutive windows, represented by the worst.
struct TrackPoint {
  RoundPlace first, last;
  std::uint64_t windows = 0, observations = 0;
  verdict outcome = verdict::undecided;
  double value = 0, low = 0, high = 0; // of the worst window
};

/// The windows of a check on a slice, as at most mostPoints points. With more windows, each point
/// covers two, four, … of them; only their order decides which.
class Track {
public:
  static constexpr std::size_t mostPoints = 128;

  void add(const check& criterion, const finding& outcome, const RoundPlace& at);
  const std::vector<TrackPoint>& points() const { return points_; }
  std::uint64_t windowsOfPoint() const { return perPoint_; }

private:
  void halve(const check& criterion);

  std::vector<TrackPoint> points_;
  std::uint64_t perPoint_ = 1;
};

/// Quantiles of all observations, whatever their window; rising.
struct QuantileCurve {
  struct Point {
    double level = 0, value = 0;
  };
  std::uint64_t observations = 0;
  std::vector<Point> points;
};

/// Tracks and curves by check and slice.
class Details {
public:
  Details() = default; // keeps nothing
  explicit Details(const engine::LoadedPlan& plan);

  bool isKept() const { return !tracks_.empty(); }
  void addWindow(const check& criterion, std::size_t check, std::size_t slice,
                 const finding& outcome, const RoundPlace& at) {
    tracks_[check][slice].add(criterion, outcome, at);
  }
  /// Takes curves and values of a checker that has observed all data in one open window.
  void takeWhole(const engine::LoadedChecker& whole);

  const Track& track(std::size_t check, std::size_t slice) const { return tracks_[check][slice]; }
  /// Returns the curve of a check on a quantile; others have no points.
  const QuantileCurve& curve(std::size_t check, std::size_t slice) const {
    return curves_[check][slice];
  }

  /// Returns the value over all data, whatever the windows.
  const finding& whole(std::size_t check, std::size_t slice) const { return whole_[check][slice]; }

private:
  template <class T> using bySlice = std::vector<std::vector<T>>;
  bySlice<Track> tracks_;
  bySlice<QuantileCurve> curves_;
  bySlice<finding> whole_;
};

} // namespace tikc::measure
