#pragma once

#include "metrics/Ranks.h"
#include "order/Magnitudes.h"

#include <vector>

/// What one side of a bound says, in one form for all aggregates.
namespace tikc::order {

/// What a bound stands in: a claim's quantity is not a clause's metric of the same name.
enum class Stands : std::uint8_t { InClause, InClaim };

/// One number of each observation.
struct Measurand {
  Stands stands = Stands::InClause;
  model::MetricId metric{};
  model::ClaimId claim{};
  bool isSize = false;   // no value is below 0: of its absolute value, or by its nature
  bool isSigned = false; // by its nature, whether or not its size is taken
  std::vector<Rational> parameters;

  bool operator==(const Measurand&) const = default;
};

/// At most a share of the population lies beyond a value.
struct Tail {
  bool isUpper = true; // above the value, else below it
  Magnitude at;
  bool isWith = false; // what is the value itself lies beyond it, too
  Rational share;
  bool isLess = false; // less than the share
};

/// A limit on one side of a statistic.
struct OneSided {
  enum class Form : std::uint8_t {
    Ranked,         // a maximum, a quantile, a mean
    Tail,           // a rate
    RootMeanSquare, // of sizes
    Whole           // that parts of a population do not add up to: a sum, a slope
  };
  Form form = Form::Whole;
  Measurand of;
  bool isAbove = true; // not larger than the limit, else not smaller
  Magnitude limit;
  bool isStrict = false;
  metrics::Rank rank; // of what is Ranked
  order::Tail tail;   // of a rate
};

/// The same bound on the figure that goes by the fewest names: k1 is the log-ratio with its sign
/// turned, `ess_sample` the effective share of ratios, `clipped(0, 2)` whether a ratio is above 2,
/// and a count below 3 is at most 2.
model::Bound inOneSpelling(const model::Bound& bound, Stands stands);
bool hasOtherSpelling(const model::Bound& bound, Stands stands);

/// Bounds that say together what this one says, and no less than it if they are several: of a range
/// its two ends, and of the size of a signed figure its largest and its smallest value.
std::vector<model::Bound> endsOf(const model::Bound& bound, Stands stands);

/// The sides that a bound has, but for one that every value keeps where another is left.
std::vector<OneSided> sidesOf(const model::Bound& bound, Stands stands);

/// The share of the population that a quantile leaves beyond its limit; nothing where no tail
/// follows.
std::optional<Tail> tailOf(const OneSided& side);
/// The tail from which a limit on a quantile or a rate follows.
std::optional<Tail> tailFor(const OneSided& side);
/// Whether one tail says all that the other does.
bool covers(const Tail& strong, const Tail& weak);

} // namespace tikc::order
