#include "measure/Details.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace tikc::measure {
namespace {

check atMost(double bound) {
  check out{};
  out.limits[0] = {comparator::at_most, bound};
  out.limit_count = 1;
  return out;
}

finding seen(double value, double bound, std::uint64_t observations) {
  finding out;
  out.is = std::isnan(value) ? verdict::undecided
           : value <= bound  ? verdict::satisfied
                             : verdict::violated;
  out.value = out.low = out.high = value;
  out.observations = observations;
  return out;
}

RoundPlace at(std::uint64_t evaluation) {
  return {evaluation, static_cast<double>(evaluation), static_cast<double>(evaluation)};
}

TEST(TrackTest, FewWindowsAreThemselves) {
  const check of = atMost(1);
  Track track;
  for (std::uint64_t i = 1; i <= Track::mostPoints; ++i)
    track.add(of, seen(static_cast<double>(i) / 100, 1, i), at(i));
  ASSERT_EQ(track.points().size(), Track::mostPoints);
  EXPECT_EQ(track.windowsOfPoint(), 1U);
  for (std::uint64_t i = 1; i <= Track::mostPoints; ++i) {
    const TrackPoint& point = track.points()[i - 1];
    EXPECT_EQ(point.first.evaluation, i);
    EXPECT_EQ(point.last.evaluation, i);
    EXPECT_EQ(point.observations, i);
    EXPECT_EQ(point.value, static_cast<double>(i) / 100);
  }
}

/// Of any number of windows: each is in one point, in their order, and each point is its worst.
TEST(TrackTest, ManyWindowsAreTheWorstOfEachStretch) {
  const check of = atMost(1);
  std::mt19937 draw(7);
  for (std::size_t count : {129U, 255U, 256U, 257U, 1000U, 4097U}) {
    Track track;
    std::vector<double> values;
    std::uniform_real_distribution<double> around(0, 1.02);
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(around(draw));
      track.add(of, seen(values.back(), 1, 1), at(i + 1));
    }
    EXPECT_LE(track.points().size(), Track::mostPoints);
    EXPECT_GT(track.points().size() * 2 + 1, Track::mostPoints);
    std::size_t next = 0;
    for (const TrackPoint& point : track.points()) {
      EXPECT_EQ(point.first.evaluation, next + 1);
      EXPECT_LE(point.windows, track.windowsOfPoint());
      const std::size_t end = next + point.windows;
      double worst = -1;
      for (; next < end; ++next)
        worst = std::max(worst, values[next]);
      EXPECT_EQ(point.last.evaluation, end);
      EXPECT_EQ(point.last.lastStep, static_cast<double>(end));
      EXPECT_EQ(point.value, worst);
      EXPECT_EQ(point.outcome, worst <= 1 ? verdict::satisfied : verdict::violated);
      EXPECT_EQ(point.observations, point.windows);
    }
    EXPECT_EQ(next, count);
  }
}

TEST(TrackTest, WhatIsNoNumberIsTheWorst) {
  const check of = atMost(1);
  Track track;
  for (std::uint64_t i = 1; i <= 2 * Track::mostPoints; ++i) {
    finding found = seen(0.5, 1, 1);
    if (i == 10) {
      found.value = std::nan("");
      found.is = verdict::violated;
    } else if (i == 9) {
      found.value = 100;
      found.is = verdict::violated;
    }
    track.add(of, found, at(i));
  }
  ASSERT_EQ(track.windowsOfPoint(), 2U);
  EXPECT_TRUE(std::isnan(track.points()[4].value));
  EXPECT_EQ(track.points()[4].outcome, verdict::violated);
  EXPECT_EQ(track.points()[5].value, 0.5);
}

} // namespace
} // namespace tikc::measure
