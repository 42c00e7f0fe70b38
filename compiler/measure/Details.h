#pragma once

#include "engine/LoadedTally.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// What a page draws beside the verdicts: what became of a check in its windows, one after the
/// other, and how its values are spread.
namespace tikc::measure {

/// Where in the run a round was.
struct RoundPlace {
  std::uint64_t evaluation = 0; // from 1
  std::optional<double> firstStep, lastStep;
};

/// Some windows in a row, by the worst of them.
struct TrackPoint {
  RoundPlace first, last;
  std::uint64_t windows = 0, observations = 0;
  verdict is = verdict::undecided;
  double value = 0, low = 0, high = 0; // of the worst
};

/// The windows of a check on a slice in their order, in so many points at most: where there are
/// more, each point is of two, four, … of them. Nothing but their order decides which.
class Track {
public:
  static constexpr std::size_t mostPoints = 128;

  void add(const check& of, const finding& found, const RoundPlace& at);
  const std::vector<TrackPoint>& points() const { return points_; }
  std::uint64_t windowsOfPoint() const { return perPoint_; }

private:
  void halve(const check& of);

  std::vector<TrackPoint> points_;
  std::uint64_t perPoint_ = 1;
};

/// Values below which shares of all observations lie, windows or not; rising.
struct QuantileCurve {
  struct Point {
    double level = 0, value = 0;
  };
  std::uint64_t observations = 0;
  std::vector<Point> points;
};

/// By check and slice.
class Details {
public:
  Details() = default; // of nothing
  explicit Details(const engine::LoadedPlan& plan);

  bool isKept() const { return !tracks_.empty(); }
  void addWindow(const check& of, std::size_t check, std::size_t slice, const finding& found,
                 const RoundPlace& at) {
    tracks_[check][slice].add(of, found, at);
  }
  /// From a checker that was shown all data and has ended no window.
  void takeCurves(const engine::LoadedChecker& whole);

  const Track& track(std::size_t check, std::size_t slice) const { return tracks_[check][slice]; }
  /// Of a check of a quantile; else it has no points.
  const QuantileCurve& curve(std::size_t check, std::size_t slice) const {
    return curves_[check][slice];
  }

private:
  template <class T> using bySlice = std::vector<std::vector<T>>;
  bySlice<Track> tracks_;
  bySlice<QuantileCurve> curves_;
};

} // namespace tikc::measure
