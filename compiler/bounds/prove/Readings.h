#pragma once

#include "bounds/facts/Comparisons.h"
#include "model/Contract.h"

#include <optional>
#include <vector>

/// Turns metrics and claims of a contract into bounds on the prover's quantities.
namespace tikc::bounds {

/// A quantity that a clause's metric bounds. A lower bound on the signed gap is an upper bound on
/// its negative.
struct Reading {
  Quantity quantity;
  bool negated = false;
};
std::vector<Reading> readingsOf(const model::Measure& measure, QuantityInfo::Side side);

/// Whether it is a log-ratio, or k1, which is one with its sign turned.
bool isSigned(model::MetricId metric);
/// Whether it is a ratio that caps clamp.
bool isCapped(model::MetricId metric);

/// A bound that a limit of a clause promises.
struct Promise {
  Key key;
  Rational value;
  bool strict = false;
  std::optional<Exactly> exactly = std::nullopt;
  /// Whether the value is the threshold of a rate or an indicator, not the limit.
  bool isThreshold = false;
};
std::vector<Promise> promisesOf(const model::Measure& measure, const QuantityLimit& limit,
                                unsigned bits);

/// Returns the key of an aggregate of one quantity. A maximum bounds every context from above, a
/// minimum from below, a quantile all but a share.
std::optional<Key> keyOf(const model::Measure& measure, Quantity quantity, QuantityInfo::Side side);

/// Returns the key of a claim's quantity; nothing if tikc has no such bound.
std::optional<Key> claimKeyOf(const model::Measure& measure, QuantityInfo::Side side,
                              bool isOfBatch);
/// Whether the loss is a mean over the tokens of a batch.
bool isOfBatch(const model::Contract& contract);

} // namespace tikc::bounds
