#include "measure/ClaimEnds.h"

#include <tikc/confidence.h>

#include <algorithm>
#include <cmath>

namespace tikc::measure {
namespace {

constexpr double usualAlpha = 0.05;

bool isLower(const plan::Check& check) {
  return !check.limits.empty() && model::isAbove(check.limits.back().comparator);
}

/// Where the mean is whose estimate was found, but for a chance of `alpha`. A value out of its
/// range has no such place.
std::optional<double> endOf(const plan::Check& check, const plan::Signal& signal,
                            const finding& outcome, double alpha) {
  const bool isSquared = check.estimator == estimator::root_mean_square;
  const double mean = isSquared ? outcome.value * outcome.value : outcome.value;
  if (!(mean >= *check.low && mean <= *check.high) || outcome.observations == 0)
    return std::nullopt;
  const double n = static_cast<double>(outcome.observations), range = *check.high - *check.low;
  const double sum = n * (mean - *check.low);
  // The tokens' pass adds in single precision; below a mean, NaN may hide as much as the range.
  const bool isRounded = plan::sourceOf(signal) == source::tokens;
  const double off =
      isRounded ? token_sum_error * n * (isLower(check) ? range : std::abs(mean)) : 0;
  const double end =
      *check.low + (isLower(check)
                        ? mean_lower(sum - off, outcome.observations, range, alpha, outcome.about)
                        : mean_upper(sum + off, outcome.observations, range, alpha, outcome.about));
  return isSquared ? std::sqrt(end) : end;
}

} // namespace

bool hasInterval(const plan::Check& check) {
  return check.low && check.high &&
         (check.estimator == estimator::mean || check.estimator == estimator::root_mean_square ||
          check.estimator == estimator::share);
}

bool isOfOwnLimit(const plan::Check& check) {
  return check.estimator == estimator::quantile && check.alpha;
}

ClaimEnds::ClaimEnds(const MeasuredPlan& subject) : plan_(&subject.plan) {
  for (const plan::Claim& each : plan_->claims) {
    double alpha = 0, own = 0, shared = 0, all = 0;
    Claim& claim = claims_.emplace_back();
    for (const plan::ProofCheck& at : each.grounds) {
      const plan::Check& check = plan_->checks[at.check];
      if (hasInterval(check))
        places_[{at.check, at.slice}].emplace_back(claims_.size() - 1, claim.grounds.size());
      claim.grounds.push_back({hasInterval(check), isLower(check), std::nullopt});
      alpha = std::max(alpha, check.alpha.value_or(0));
      own += isOfOwnLimit(check) ? *check.alpha : 0;
      shared += hasInterval(check) ? 1 : 0;
      all += hasInterval(check) || isOfOwnLimit(check) ? 1 : 0;
    }
    if (subject.confidence)
      alpha = 1 - *subject.confidence;
    else if (alpha == 0)
      alpha = usualAlpha;
    claim.share = all == 0 ? 0 : alpha / all;
    claim.confidence = shared == all ? 1 - alpha : 1 - own - claim.share * shared;
  }
}

void ClaimEnds::add(std::size_t check, std::size_t slice, const finding& ended) {
  // Of a check about the mixture each slice has the same.
  const auto match = places_.find({check, slice});
  if (match == places_.end())
    return;
  const plan::Check& criterion = plan_->checks[check];
  for (const auto& [claim, at] : match->second) {
    Ground& ground = claims_[claim].grounds[at];
    const auto end =
        endOf(criterion, plan_->signals[criterion.signal], ended, claims_[claim].share);
    if (!end)
      ground.hasInterval = false; // of this window, and so of none
    else if (!ground.end || (ground.isLower ? *end < *ground.end : *end > *ground.end))
      ground.end = end;
  }
}

std::optional<double> ClaimEnds::of(std::size_t claim, std::size_t ground) const {
  const Ground& at = claims_[claim].grounds[ground];
  return at.hasInterval ? at.end : std::nullopt;
}

} // namespace tikc::measure
