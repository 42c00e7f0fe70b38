#include "tikc/checker.h"
#include "tikc/router.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

namespace tikc {
namespace {

constexpr check latency(estimator how, std::uint16_t keeper, std::uint16_t window) {
  return {"", how,   0,     {keeper},  {0, 1},     {{comparator::at_most, 1}},
          1,  0,     1,     0,         0,          window,
          0,  false, false, no_keeper, input::rows};
}

/// Latencies of at most a second: on average over two of a unit, at most over two, and both over
/// two and on average over three. Its arrays say their sizes: of a template's, Clang knows none
/// where they are asked of an object.
template <window_unit Unit> struct Plan {
  static constexpr std::size_t slices = 1, signals = 1;
  static constexpr bool is_empty[slices] = {};
  static constexpr stream streams[1] = {{1, 1, 0}};
  static constexpr signal signal_table[1] = {{source::requests, figure::latency, 0, false, 0, 0}};
  static constexpr keeper keepers[2] = {
      {0, reading::cell, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = 0;
    static constexpr std::array<float, 0> above{}, below{}, beyond{};
  };
  static constexpr window windows[2] = {{Unit, 2}, {Unit, 3}};
  static constexpr check checks[4] = {
      latency(estimator::mean, 0, 0), latency(estimator::largest, 1, 0),
      latency(estimator::mean, 0, 0), latency(estimator::mean, 0, 1)};
  static constexpr bool binds[4][slices] = {{true}, {true}, {true}, {true}};
  static constexpr clause clauses[3] = {{"mean", "", 0, 1}, {"most", "", 1, 1}, {"both", "", 2, 2}};
};
enum : std::size_t { mean, most, both };

/// Each clause: violated for 2 windows, until satisfied for 3. And stale: undecided(any) for 3
/// windows, until satisfied(any) for 2.
struct Policy {
  static constexpr std::size_t slices = 1, clauses = 3;
  static constexpr bool applies[clauses][slices] = {{true}, {true}, {true}};
  static constexpr bool in_any[clauses] = {true, true, true};
  static constexpr trigger triggers[] = {
      {trigger_kind::violated, 0, 2, 0, 0},   {trigger_kind::satisfied, 0, 3, 0, 0},
      {trigger_kind::violated, 1, 2, 0, 0},   {trigger_kind::satisfied, 1, 3, 0, 0},
      {trigger_kind::violated, 2, 2, 0, 0},   {trigger_kind::satisfied, 2, 3, 0, 0},
      {trigger_kind::undecided, -1, 3, 0, 0}, {trigger_kind::satisfied, -1, 2, 0, 0}};
  static constexpr action actions[] = {{action_kind::hold, "", 0, 0}};
  static constexpr step steps[] = {{0, 0, 1}};
  static constexpr rule rules[] = {
      {"mean", 0, 1, 0, 1}, {"most", 2, 3, 0, 1}, {"both", 4, 5, 0, 1}, {"stale", 6, 7, 0, 1}};
  static constexpr bool acts_on[][slices] = {{true}, {true}, {true}, {true}};
};
enum : std::size_t { stale = 3 };

template <class Unit> class Windows : public testing::Test {
protected:
  using plan = Plan<Unit::value>;

  /// One of every unit, and whoever looks.
  void see(double latency) {
    const float logprob = -1;
    request_times times;
    times.latency = latency;
    tally_->observe_request(0, times);
    tally_->observe_tokens(0, {&logprob, &logprob, nullptr, 1});
    tally_->end_sequence(0, {});
    checker_->merge(*tally_);
    tally_->clear();
    checker_->end_step();
    look(++now_);
  }
  void see(double latency, int times) {
    for (int i = 0; i < times; ++i)
      see(latency);
  }
  void seeNothing() { look(now_); }

  verdict of(std::size_t clause) const { return checker_->of(clause, 0); }
  bool isKept(std::size_t clause) const { return checker_->is_kept(clause, 0); }
  bool isActive(std::size_t rule) const { return router_.is_active(rule, 0); }

  bool isHeld() const { return router_.decide(0).traffic == &Policy::actions[0]; }

  static constexpr double good = 0.5, bad = 3;

private:
  void look(double now) {
    checker_->evaluate(now);
    router<Policy>::verdicts verdicts;
    checker_->verdicts(verdicts);
    router_.tick(verdicts, 0);
  }

  std::unique_ptr<tally<plan>> tally_ = std::make_unique<tally<plan>>();
  std::unique_ptr<checker<plan>> checker_ = [] {
    auto out = std::make_unique<checker<plan>>();
    out->start(0);
    return out;
  }();
  router<Policy> router_;
  double now_ = 0;
};

template <window_unit Unit> using unit = std::integral_constant<window_unit, Unit>;
using Units = testing::Types<unit<window_unit::ticks>, unit<window_unit::seconds>,
                             unit<window_unit::tokens>, unit<window_unit::sequences>,
                             unit<window_unit::requests>, unit<window_unit::steps>>;
TYPED_TEST_SUITE(Windows, Units);

TYPED_TEST(Windows, NoDataIsUndecidedWhateverWasBefore) {
  for (double latency : {this->good, this->bad}) {
    this->see(latency, 6);
    EXPECT_NE(this->of(mean), verdict::undecided);
    EXPECT_FALSE(this->isActive(stale));
    for (int i = 0; i < 3; ++i) {
      this->seeNothing();
      EXPECT_EQ(this->of(mean), verdict::undecided);
      EXPECT_FALSE(this->isKept(mean));
    }
    EXPECT_TRUE(this->isActive(stale));
    EXPECT_TRUE(this->isHeld());
    this->see(this->good, 13);
    EXPECT_EQ(this->of(mean), verdict::satisfied);
    EXPECT_FALSE(this->isActive(stale));
  }
}

TYPED_TEST(Windows, AVerdictStandsUntilTheNextAndIsToldToBeKept) {
  this->see(this->good, 2);
  EXPECT_EQ(this->of(mean), verdict::satisfied);
  EXPECT_FALSE(this->isKept(mean));
  this->see(this->bad);
  EXPECT_EQ(this->of(mean), verdict::satisfied);
  EXPECT_TRUE(this->isKept(mean));
  this->see(this->bad);
  EXPECT_EQ(this->of(mean), verdict::violated);
  EXPECT_FALSE(this->isKept(mean));
}

TYPED_TEST(Windows, RulesCountTheClausesOwnWindows) {
  this->see(this->bad, 3);
  EXPECT_FALSE(this->isActive(mean)) << "one bad window and half of another";
  this->see(this->bad);
  EXPECT_TRUE(this->isActive(mean));
}

TYPED_TEST(Windows, NothingViolatesTwice) {
  this->see(this->bad, 2);
  for (int i = 0; i < 8; ++i)
    this->seeNothing();
  EXPECT_FALSE(this->isActive(mean));
}

TYPED_TEST(Windows, AsManyGoodWindowsReleaseAsAreAskedFor) {
  this->see(this->bad, 4);
  EXPECT_TRUE(this->isActive(mean));
  this->see(this->good, 5);
  EXPECT_TRUE(this->isActive(mean)) << "two windows and half of the third";
  this->see(this->good);
  EXPECT_FALSE(this->isActive(mean));
}

TYPED_TEST(Windows, NothingSatisfiesTwice) {
  this->see(this->bad, 4);
  this->see(this->good, 2);
  for (int i = 0; i < 8; ++i)
    this->seeNothing();
  EXPECT_TRUE(this->isActive(mean));
}

TYPED_TEST(Windows, OneThatIsViolatedBeforeItsEndIsOne) {
  this->see(this->bad);
  EXPECT_EQ(this->of(most), verdict::violated);
  EXPECT_FALSE(this->isKept(most));
  this->see(this->good);
  EXPECT_EQ(this->of(most), verdict::violated);
  EXPECT_TRUE(this->isKept(most));
  EXPECT_FALSE(this->isActive(most));
  this->see(this->bad);
  EXPECT_FALSE(this->isKept(most));
  EXPECT_TRUE(this->isActive(most));
}

TYPED_TEST(Windows, AClauseOfTwoWindowsIsNewWhenBothAre) {
  this->see(this->bad, 6);
  EXPECT_TRUE(this->isActive(both));
  // Windows of two end at 8, 10, 12 and 14, windows of three at 9, 12 and 15.
  this->see(this->good, 8);
  EXPECT_EQ(this->of(both), verdict::satisfied);
  EXPECT_TRUE(this->isActive(both));
  this->see(this->good);
  EXPECT_FALSE(this->isKept(both));
  EXPECT_FALSE(this->isActive(both));
}

TEST(Clock, NeverGoesBackAndIsANumber) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr double endless = std::numeric_limits<double>::infinity();
  using plan = Plan<window_unit::seconds>;
  const auto judged = std::make_unique<checker<plan>>();
  const auto seen = std::make_unique<tally<plan>>();
  request_times times;
  times.latency = 0.5;
  seen->observe_request(0, times);
  // Windows of two seconds, from -6 on, whatever else is said to be the time.
  const auto endsAt = [&](double now) {
    judged->merge(*seen);
    judged->evaluate(now);
    return judged->of(mean, 0) == verdict::satisfied && !judged->is_kept(mean, 0);
  };
  EXPECT_TRUE(judged->clock_takes(-6));
  EXPECT_FALSE(judged->clock_takes(none));
  EXPECT_FALSE(endsAt(none));
  judged->start(-6);
  EXPECT_FALSE(judged->clock_takes(-6.5));
  judged->start(-8);
  for (double now : {-5.0, endless, -endless, none, -7.0, -5.0})
    EXPECT_FALSE(endsAt(now)) << now;
  EXPECT_TRUE(judged->clock_takes(-5));
  EXPECT_TRUE(endsAt(-4));
  for (double now : {-30.0, endless, none, -3.0})
    EXPECT_FALSE(endsAt(now)) << now;
  EXPECT_TRUE(endsAt(-2));
}

} // namespace
} // namespace tikc
