#pragma once

#include "checker/engine/LoadedTally.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace tikc::measure {

/// The results of a check on a slice over all windows.
struct CheckRecord {
  std::uint64_t satisfied = 0, violated = 0, undecided = 0; // windows that ended
  /// The judged window with the least room to its bound; if no window was judged, the last
  /// evaluation.
  finding shown;
  bool isShownEarly = false; // the shown window had not ended, and is shown until one has
  /// The range of the value's intervals over all ended windows; NaN if one of them has none.
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  /// Observations in the last window, which had not ended; 0 if it is already violated and counted.
  std::uint64_t open = 0;
  bool isOpenViolated = false; // the rest of the window cannot change that

  std::uint64_t windows() const { return satisfied + violated + undecided; }
  void show(const check& criterion, const finding& outcome, bool isEarly);
  void widen(const finding& outcome);
  /// One violated window breaks a promise; all windows must be satisfied to keep it.
  verdict is() const {
    return violated != 0                      ? verdict::violated
           : undecided != 0 || satisfied == 0 ? verdict::undecided
                                              : verdict::satisfied;
  }
};

/// Whether the first finding is worse: a violated one first, then undecided ones, then by room to
/// the limits.
bool isWorse(const check& criterion, const finding& one, const finding& other);

/// Keeps the results of each evaluation.
class CheckRecords {
public:
  explicit CheckRecords(const engine::LoadedPlan& plan);

  /// Called for each window that ended.
  using Ended = llvm::function_ref<void(std::size_t check, std::size_t slice, const finding&)>;
  void look(const engine::LoadedChecker& checker, Ended ended = nullptr);
  /// Adds, before an evaluation that is not a round, windows that no later observation can make
  /// satisfied.
  void lookAtOpen(const engine::LoadedChecker& checker);
  /// Adds what follows the last round. Windows that do not end with rounds may end in it.
  void lookAtRest(const engine::LoadedChecker& checker, Ended ended = nullptr);
  /// Adds violations that only all data together show.
  void lookAtWhole(const engine::LoadedChecker& checker);
  /// Returns the record of a check that binds the slice; a check on the mixture has equal records
  /// for all slices.
  const CheckRecord& of(std::size_t check, std::size_t slice) const { return each_[check][slice]; }
  std::uint64_t evaluations() const { return evaluations_; }

private:
  void eachBound(llvm::function_ref<void(std::size_t check, std::size_t slice)> visit) const;
  void keep(std::size_t check, std::size_t slice, const engine::LoadedChecker& checker,
            Ended ended);

  const engine::LoadedPlan& plan_;
  std::vector<std::vector<CheckRecord>> each_;
  std::uint64_t evaluations_ = 0;
};

} // namespace tikc::measure
