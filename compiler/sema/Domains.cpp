#include "sema/Domains.h"

#include <algorithm>

namespace tikc::sema {

using model::Aggregate;
using model::Measured;

namespace {

/// Of two, one at either end, who have 1/√2 of what is between.
std::optional<Rational> largestDeviation(const ValueRange& values) {
  const Rational above(70711, 100000);
  return values.low && values.high ? std::optional(Rational((*values.high - *values.low) * above))
                                   : std::nullopt;
}

/// (Σx)² / (n Σx²) of what is all between two ends, in the shares that make it least.
Rational leastShare(const ValueRange& values) {
  if (!values.low || !values.high || *values.high <= 0)
    return Rational(0);
  Rational sum = *values.low + *values.high;
  return 4 * *values.low * *values.high / (sum * sum);
}

} // namespace

ValueRange sizesOf(const ValueRange& values) {
  if (values.low && *values.low >= 0)
    return values;
  ValueRange out = {Rational(0), std::nullopt};
  if (values.low && values.high)
    out.high = std::max(Rational(abs(*values.low)), *values.high);
  return out;
}

void applyDomain(const model::AggregateInfo& aggregate, Subject& subject) {
  switch (aggregate.aggregate) {
  case Aggregate::Count:
    subject.measured = Measured::None;
    subject.domain = {Rational(0), std::nullopt};
    break;
  case Aggregate::Rate:
    subject.measured = Measured::None;
    subject.domain = {Rational(0), Rational(1)};
    break;
  case Aggregate::Sum:
    subject.domain.high.reset();
    if (subject.domain.low && *subject.domain.low < 0)
      subject.domain.low.reset();
    break;
  case Aggregate::Slope:
    subject.domain = {};
    break;
  case Aggregate::RootMeanSquare:
    subject.domain = sizesOf(subject.domain);
    break;
  case Aggregate::Deviation:
    subject.domain = {Rational(0), largestDeviation(subject.domain)};
    break;
  case Aggregate::EffectiveShare:
    subject.measured = Measured::None;
    subject.domain = {leastShare(subject.domain), Rational(1)};
    break;
  default:
    break;
  }
}

} // namespace tikc::sema
