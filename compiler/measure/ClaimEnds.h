#pragma once

#include "measure/Fragments.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tikc::measure {

/// For each clause that a claim's proof rests on, the end of its interval on the bad side of its
/// limit, over all ended windows. The confidence is the stage's, otherwise the lowest that these
/// clauses state, otherwise 95%; the clauses share the error. Both follow from the plan alone,
/// before any data.
class ClaimEnds {
public:
  ClaimEnds() = default;
  explicit ClaimEnds(const MeasuredPlan& subject);

  void add(std::size_t check, std::size_t slice, const finding& ended);

  /// Returns the far end of the interval of a ground; nothing if the clause has no interval or no
  /// window ended.
  std::optional<double> of(std::size_t claim, std::size_t ground) const;
  /// Returns one minus the probability that some ground of the claim exceeds its end.
  double confidence(std::size_t claim) const { return claims_[claim].confidence; }

private:
  struct Ground {
    bool hasInterval = false, isLower = false;
    std::optional<double> end;
  };
  struct Claim {
    double confidence = 0, share = 0;
    std::vector<Ground> grounds;
  };

  /// The indices of a claim and of one of its grounds.
  using GroundAt = std::pair<std::size_t, std::size_t>;

  const plan::Plan* plan_ = nullptr;
  std::vector<Claim> claims_;
  /// By check and slice, for checks with an interval.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<GroundAt>> places_;
};

/// Whether the check's values have a range, which the interval of a mean needs.
bool hasInterval(const plan::Check& check);
/// Whether the stated confidence is already part of the check's limit, so that the claim does not
/// share its error.
bool isOfOwnLimit(const plan::Check& check);

} // namespace tikc::measure
