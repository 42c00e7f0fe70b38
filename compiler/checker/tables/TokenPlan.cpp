#include "checker/tables/TokenPlan.h"

#include "checker/tables/Words.h"
#include "support/Check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tikc::tables {
namespace {

using model::Comparator;
using plan::Figure;
using plan::Register;
using plan::Signal;

constexpr float infinity = std::numeric_limits<float>::infinity();

float floatBelow(double value) {
  auto near = static_cast<float>(value);
  return static_cast<double>(near) < value ? near : std::nextafter(near, -infinity);
}
float floatAbove(double value) {
  auto near = static_cast<float>(value);
  return static_cast<double>(near) > value ? near : std::nextafter(near, infinity);
}
float floatAtMost(double value) {
  auto near = static_cast<float>(value);
  return static_cast<double>(near) <= value ? near : std::nextafter(near, -infinity);
}
float floatAtLeast(double value) {
  auto near = static_cast<float>(value);
  return static_cast<double>(near) >= value ? near : std::nextafter(near, infinity);
}

/// A condition on x, or on |x|, that says the same as one on a figure.
struct TokenCondition {
  bool ofSize = false;
  Comparator comparator{};
  double threshold = 0;
};

Comparator mirrored(Comparator comparator) {
  switch (comparator) {
  case Comparator::LessEqual:
    return Comparator::GreaterEqual;
  case Comparator::Less:
    return Comparator::Greater;
  case Comparator::GreaterEqual:
    return Comparator::LessEqual;
  case Comparator::Greater:
    return Comparator::Less;
  default:
    return comparator;
  }
}

std::optional<TokenCondition> conditionOn(const Signal& signal, Comparator comparator,
                                          double threshold) {
  switch (signal.figure) {
  case Figure::LogprobGap:
    return TokenCondition{signal.absolute, comparator, threshold};
  case Figure::K1:
    return signal.absolute ? TokenCondition{true, comparator, threshold}
                           : TokenCondition{false, mirrored(comparator), -threshold};
  case Figure::Ratio:
    if (threshold <= 0)
      return std::nullopt;
    return TokenCondition{false, comparator, std::log(threshold)};
  case Figure::TvSampled:
    if (threshold <= 0 || threshold >= 1)
      return std::nullopt;
    return TokenCondition{false, mirrored(comparator), std::log1p(-threshold)};
  case Figure::K2:
    if (threshold < 0)
      return std::nullopt;
    return TokenCondition{true, comparator, std::sqrt(2 * threshold)};
  case Figure::MultProbError:
    if (threshold < 1)
      return std::nullopt;
    return TokenCondition{true, comparator, std::log(threshold)};
  default:
    return std::nullopt;
  }
}

class Planner {
public:
  explicit Planner(const plan::Plan& plan) : plan_(plan) {}

  TokenPlan take() {
    bool countsSequences =
        std::any_of(plan_.windows.begin(), plan_.windows.end(), [](const plan::Window& window) {
          return window.unit == window_unit::sequences;
        });
    if (countsSequences || plan_.reads(source::sequences))
      out_.wants |= token_want::gap | token_want::range;
    if (plan_.watches(quantity::ratio))
      out_.wants |= token_want::range | token_want::places;
    for (const Register& each : plan_.registers)
      out_.keepings.push_back(place(each));
    return std::move(out_);
  }

private:
  Keeping place(const Register& each) {
    const Signal& signal = plan_.signals[each.signal];
    if (plan::sourceOf(signal) != source::tokens)
      return {};
    switch (each.fold) {
    case fold::total:
      return total(signal);
    case fold::squares:
      return squares(signal);
    case fold::nonzero:
      return outside(signal);
    case fold::share:
      return share(signal, each);
    case fold::largest:
      return extreme(signal, true);
    case fold::smallest:
      return extreme(signal, false);
    case fold::sketch:
      return sketch(signal);
    case fold::moments:
      return summed(plan::info(signal.figure).moments);
    }
    TIKC_CHECK(false, "each fold has its case");
  }

  Keeping total(const Signal& signal) {
    std::string_view want = plan::info(signal.figure).total;
    return want == "none"                     ? outside(signal)
           : want == "gap" && signal.absolute ? summed("gap_size")
                                              : summed(want);
  }

  Keeping squares(const Signal& signal) { return summed(plan::info(signal.figure).squares); }

  Keeping summed(std::string_view by) {
    if (by == "none")
      return {};
    out_.wants |= tokenWant(by);
    return {true};
  }

  /// Ratios outside [low, high], or below low.
  Keeping outside(const Signal& signal) {
    Keeping out;
    if (isFull() || courseOf(signal) != course::outside)
      return out;
    out.byTokens = true;
    out.below = add(out_.below, floatAtLeast(std::log(signal.parameters[0])));
    if (signal.parameters.size() > 1)
      out.above = add(out_.above, floatAtMost(std::log(signal.parameters[1])));
    return out;
  }

  Keeping share(const Signal& signal, const Register& each) {
    Keeping out;
    auto at = conditionOn(signal, each.comparator, each.threshold);
    if (isFull() || !at)
      return out;
    switch (at->comparator) {
    case Comparator::Greater:
      (at->ofSize ? out.beyond : out.above) =
          add(at->ofSize ? out_.beyond : out_.above, floatAtMost(at->threshold));
      break;
    case Comparator::GreaterEqual:
      (at->ofSize ? out.beyond : out.above) =
          add(at->ofSize ? out_.beyond : out_.above, floatBelow(at->threshold));
      break;
    case Comparator::Less:
    case Comparator::LessEqual:
      if (at->ofSize) // what is not beyond is not counted
        return out;
      out.below = add(out_.below, at->comparator == Comparator::Less ? floatAtLeast(at->threshold)
                                                                     : floatAbove(at->threshold));
      break;
    default:
      return out;
    }
    out.byTokens = true;
    return out;
  }

  static course courseOf(const Signal& signal) {
    course own = plan::info(signal.figure).course;
    bool isOfSize = signal.absolute && (own == course::rises || own == course::falls);
    return isOfSize ? course::even : own;
  }

  Keeping extreme(const Signal& signal, bool largest) {
    switch (courseOf(signal)) {
    case course::apart: // what is no number is at both ends of x, and would look like a cap
      return {};
    case course::even:
    case course::convex:
    case course::outside:
      if (!largest)
        return {};
      break;
    case course::rises:
    case course::falls:
      break;
    }
    out_.wants |= token_want::range | token_want::places;
    return {true};
  }

  Keeping sketch(const Signal& signal) {
    switch (courseOf(signal)) {
    case course::rises:
    case course::falls:
    case course::even:
      out_.wants |= token_want::sketch;
      return {true};
    case course::convex:
    case course::outside:
    case course::apart:
      return {};
    }
    TIKC_CHECK(false, "each course has its case");
  }

  /// The pass has a counter for each threshold, and it is straight code: what is beyond so many is
  /// counted token by token.
  bool isFull() const {
    constexpr std::size_t most = 64;
    return out_.above.size() + out_.below.size() + out_.beyond.size() >= most;
  }

  static int add(std::vector<float>& thresholds, float value) {
    auto at = std::find(thresholds.begin(), thresholds.end(), value);
    if (at == thresholds.end())
      at = thresholds.insert(at, value);
    return static_cast<int>(at - thresholds.begin());
  }

  const plan::Plan& plan_;
  TokenPlan out_;
};

} // namespace

TokenPlan planTokens(const plan::Plan& plan) { return Planner(plan).take(); }

} // namespace tikc::tables
