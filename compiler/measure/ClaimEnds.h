#pragma once

#include "measure/Fragments.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tikc::measure {

/// How far from its limit's good side the value of each clause that a claim's proof rests on may
/// be, in any window that ended. The confidence is the stage's, else the lowest that these clauses
/// state, else 95%; they share the error. Fixed before the data come, as the plan alone decides it.
class ClaimEnds {
public:
  ClaimEnds() = default;
  explicit ClaimEnds(const MeasuredPlan& subject);

  void add(std::size_t check, std::size_t slice, const finding& ended);

  /// The far end of the interval, by the ground's number in the claim; nothing where the clause has
  /// no interval, or where no window ended.
  std::optional<double> of(std::size_t claim, std::size_t ground) const;
  /// One minus the chance that some ground of the claim lies beyond its end.
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

  /// A claim, and which of its grounds.
  using GroundAt = std::pair<std::size_t, std::size_t>;

  const plan::Plan* plan_ = nullptr;
  std::vector<Claim> claims_;
  /// By check and slice, of checks with an interval.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<GroundAt>> places_;
};

/// Whether values of the check have a range, which an interval of their mean needs.
bool hasInterval(const plan::Check& check);
/// Whether the stated confidence applies to the limit of the check, so that the claim does not
/// share it out.
bool isOfOwnLimit(const plan::Check& check);

} // namespace tikc::measure
