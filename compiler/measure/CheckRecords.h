#pragma once

#include "engine/LoadedTally.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace tikc::measure {

/// What became of a check on a slice over all windows.
struct CheckRecord {
  std::uint64_t satisfied = 0, violated = 0, undecided = 0; // windows that ended
  /// Of the windows that were judged the one with the least room to its bound; of none, what the
  /// last evaluation saw.
  finding shown;
  /// Where its value may have been in some window that ended; NaN where one does not tell.
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  /// Observations in the window that had not ended when the data did; of one that is violated
  /// already, and so counted, none.
  std::uint64_t open = 0;
  bool isOpenViolated = false; // what comes of the window afterwards changes nothing

  std::uint64_t windows() const { return satisfied + violated + undecided; }
  /// One window is enough to break a promise, and to keep it all have to.
  verdict is() const {
    return violated != 0                      ? verdict::violated
           : undecided != 0 || satisfied == 0 ? verdict::undecided
                                              : verdict::satisfied;
  }
};

/// What decides goes before what does not, and then what has less room to its limits.
bool isWorse(const check& of, const finding& one, const finding& other);

/// Keeps what each evaluation tells.
class CheckRecords {
public:
  explicit CheckRecords(const engine::LoadedPlan& plan);

  /// Hears of each window that ended.
  using Ended = llvm::function_ref<void(std::size_t check, std::size_t slice, const finding&)>;
  void look(const engine::LoadedChecker& checker, Ended ended = nullptr);
  /// Before an evaluation that no round is: of windows that rounds end what no later observation
  /// could take back.
  void lookAtOpen(const engine::LoadedChecker& checker);
  /// At what came after the last round: windows of their own may end in it, and no other does.
  void lookAtRest(const engine::LoadedChecker& checker, Ended ended = nullptr);
  /// At all data at once: what they disprove no window has to.
  void lookAtWhole(const engine::LoadedChecker& checker);
  /// Of a check that binds the slice; for one about the mixture the slice does not matter.
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
