#include "policy/Studies.h"

#include "policy/Study.h"

#include <algorithm>

namespace tikc::policy {
namespace {

/// Whether all is the same that a study sees of a check.
bool isSameCheck(const plan::Plan& one, const plan::Plan& other, std::uint32_t check) {
  const plan::Check &a = one.checks[check], &b = other.checks[check];
  auto isStage = [check](const plan::Plan& plan) {
    return plan.windows[plan.checks[check].window].unit == window_unit::stage;
  };
  return isStage(one) == isStage(other) && a.onMixture == b.onMixture && a.slices == b.slices;
}

/// Whether two plans have the same slices, clauses and rules, as far as rules can tell.
bool isSamePolicy(const plan::Plan& one, const plan::Plan& other) {
  auto isSameSlice = [](const plan::Slice& a, const plan::Slice& b) {
    return a.name == b.name && a.isEmpty == b.isEmpty;
  };
  auto isSameClause = [](const plan::Clause& a, const plan::Clause& b) {
    return a.id == b.id && a.countsAsAny == b.countsAsAny && a.checks == b.checks;
  };
  if (one.rules != other.rules || one.checks.size() != other.checks.size() ||
      !std::equal(one.slices.begin(), one.slices.end(), other.slices.begin(), other.slices.end(),
                  isSameSlice) ||
      !std::equal(one.clauses.begin(), one.clauses.end(), other.clauses.begin(),
                  other.clauses.end(), isSameClause))
    return false;
  for (std::uint32_t i = 0; i < one.checks.size(); ++i)
    if (!isSameCheck(one, other, i))
      return false;
  for (std::uint32_t i = 0; i < one.slices.size(); ++i)
    if (kindOf(one, i) != kindOf(other, i))
      return false;
  return true;
}

} // namespace

Studies::Studies() = default;
Studies::~Studies() = default;

Study& Studies::of(plan::Plan plan) {
  constexpr std::size_t mostKept = 8; // contracts of one file
  auto found = std::find_if(kept_.begin(), kept_.end(),
                            [&](const auto& study) { return isSamePolicy(study->plan(), plan); });
  if (found == kept_.end()) {
    if (kept_.size() == mostKept)
      kept_.pop_back();
    kept_.push_back(std::make_unique<Study>(std::move(plan)));
    found = kept_.end() - 1;
  }
  std::rotate(kept_.begin(), found, found + 1);
  return *kept_.front();
}

} // namespace tikc::policy
