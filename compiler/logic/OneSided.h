#pragma once

#include "logic/Magnitudes.h"
#include "model/Ranks.h"

#include <vector>

/// One side of a bound, in one form for all aggregates.
namespace tikc::logic {

/// Where a bound is: a claim's quantity differs from a clause's metric of the same name.
enum class Stands : std::uint8_t { InClause, InClaim };

/// A number of each observation.
struct Measurand {
  Stands stands = Stands::InClause;
  model::MetricId metric{};
  model::ClaimId claim{};
  bool isSize = false;   // never negative: an absolute value, or by its nature
  bool isSigned = false; // signed by its nature, even if its absolute value is taken
  std::vector<Rational> parameters;

  bool operator==(const Measurand&) const = default;
};

/// A statement that at most a share of the population is beyond a value.
struct Tail {
  bool isUpper = true; // above the value, else below it
  Magnitude at;
  bool isWith = false; // the value itself counts as beyond
  Rational share;
  bool isLess = false; // strictly less than the share
};

/// A limit on one side of a statistic.
struct OneSided {
  enum class Form : std::uint8_t {
    Ranked,         // a maximum, a quantile or a mean
    Tail,           // a rate
    RootMeanSquare, // of absolute values
    Whole           // parts of a population do not add up to it: a sum or a slope
  };
  Form form = Form::Whole;
  Measurand measurand;
  bool isAbove = true; // at most the limit, else at least
  Magnitude limit;
  bool isStrict = false;
  model::Rank rank; // for Ranked
  logic::Tail tail; // for a rate
};

/// Returns the same bound on the figure with the fewest names: k1 is the negated log-ratio,
/// `ess_sample` the effective share of ratios, `clipped(0, 2)` whether a ratio is above 2, and a
/// count below 3 is at most 2.
model::Bound inOneSpelling(const model::Bound& bound, Stands stands);
bool hasOtherSpelling(const model::Bound& bound, Stands stands);

/// Returns bounds that are together equivalent to this one. A range becomes its two ends. A bound
/// on the absolute value of a signed figure becomes bounds on its largest and smallest value.
std::vector<model::Bound> endsOf(const model::Bound& bound, Stands stands);

/// Returns the sides of a bound, without a side that every value satisfies if another remains.
std::vector<OneSided> sidesOf(const model::Bound& bound, Stands stands);

/// Returns the share of the population beyond a quantile's limit; nothing if no tail follows.
std::optional<Tail> tailOf(const OneSided& side);
/// Returns the tail that implies a limit on a quantile or rate.
std::optional<Tail> tailFor(const OneSided& side);
/// Returns whether one tail implies the other.
bool covers(const Tail& strong, const Tail& weak);

} // namespace tikc::logic
