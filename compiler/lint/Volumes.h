#pragma once

#include "model/Contract.h"
#include "model/Metrics.h"

#include <optional>
#include <string>
#include <vector>

/// The share of the traffic that a clause observes.
namespace tikc::lint {

/// The directive that samples a metric's input, and its share.
struct FeedSource {
  const model::Clause* directive = nullptr;
  Rational share;
};
std::optional<FeedSource> feedSourceOf(const model::Contract& contract, model::Input input);

/// A slice with a known share of the observations; an empty name means all traffic.
struct SliceShare {
  std::string name;
  Rational share;
};
/// Returns the slices that a scope names. A slice without a known share counts as all traffic.
std::vector<SliceShare> partsOf(const model::Contract& contract, const model::Scope& scope,
                                model::Level level);
const SliceShare& leastOf(const std::vector<SliceShare>& parts);

bool isTokenLevel(model::Level level);
/// Returns the rate of all traffic, in the unit of that level.
const std::optional<model::Amount>& loadOf(const model::Load& load, model::Level level);

mpz_class roundedDown(const Rational& value);

} // namespace tikc::lint
