#pragma once

#include "metrics/Metrics.h"
#include "model/Contract.h"

#include <optional>
#include <string>
#include <vector>

/// How much of the traffic a clause gets to see.
namespace tikc::lint {

/// The directive that samples a metric's input, and the share that it asks for.
struct FeedSource {
  const model::Clause* directive = nullptr;
  Rational share;
};
std::optional<FeedSource> feedSourceOf(const model::Contract& contract, metrics::Input input);

/// A slice whose share of the observations is known; no name stands for all traffic together.
struct SliceShare {
  std::string name;
  Rational share;
};
/// The slices that a scope names. One without a known share gets at most everything.
std::vector<SliceShare> partsOf(const model::Contract& contract, const model::Scope& scope,
                                metrics::Level level);
const SliceShare& leastOf(const std::vector<SliceShare>& parts);

bool isTokenLevel(metrics::Level level);
/// What the whole traffic brings a second, in the unit of what is of that level.
const std::optional<model::Amount>& loadOf(const model::Load& load, metrics::Level level);

mpz_class roundedDown(const Rational& value);

} // namespace tikc::lint
