#pragma once

#include "bounds/facts/Comparisons.h"
#include "model/Contract.h"

#include <optional>
#include <vector>

/// How what a contract says of metrics and claims reads as bounds on the prover's quantities.
namespace tikc::bounds {

/// What a clause's metric tells of which quantity. A bound on the signed gap from below is one on
/// its negative from above.
struct Reading {
  Quantity quantity;
  bool negated = false;
};
std::vector<Reading> readingsOf(const model::Measure& measure, QuantityInfo::Side side);

/// What a limit on a clause's measure promises.
struct Promise {
  Key key;
  Rational value;
  bool strict = false;
  std::optional<Exactly> exactly = std::nullopt;
  /// It is what a rate or an indicator counts by, not the limit.
  bool isThreshold = false;
};
std::vector<Promise> promisesOf(const model::Measure& measure, const QuantityLimit& limit,
                                unsigned bits);

/// The key of an aggregate over one quantity: a maximum bounds every context from above, a minimum
/// from below, and a quantile all but a share.
std::optional<Key> keyOf(const model::Measure& measure, Quantity quantity, QuantityInfo::Side side);

/// What a claim is about, and its key; nothing where tikc has no bound of that kind.
std::optional<Key> claimKeyOf(const model::Measure& measure, QuantityInfo::Side side,
                              bool isOfBatch);
/// Whether the loss is a mean over the tokens of many responses together.
bool isOfBatch(const model::Contract& contract);

} // namespace tikc::bounds
