#pragma once

#include "checker/engine/LoadedPlan.h"
#include "measure/Activations.h"
#include "measure/Assumed.h"
#include "measure/CheckRecords.h"
#include "measure/ClaimEnds.h"
#include "measure/Details.h"
#include "measure/Fragments.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::measure {

/// Judges fragments in order, with an evaluation at the end of each round.
class Judging {
public:
  /// Called for each action of a rule with its cause, as it happens.
  using Routed = llvm::function_ref<void(const transition&)>;
  Judging(const MeasuredPlan& subject, const engine::LoadedPolicy& policy, Routed routed = nullptr);

  /// `piece` numbers the fragment's observations.
  void take(const Fragment& fragment, std::uint64_t piece);
  void finish();

  const CheckRecords& records() const { return records_; }
  const ClaimEnds& ends() const { return ends_; }
  /// Empty unless requested; curves are complete only at the end.
  const Details& details() const { return details_; }
  const Activations& activations() const { return activations_; }
  /// By slice: whether any of its tokens or rows came.
  const std::vector<char>& came() const { return came_; }
  /// Returns the state of the assumptions after all fragments so far.
  AssumptionResults assumed() const { return AssumptionResults::of(checker_); }

  /// Returns the observations after the last round.
  std::uint64_t rest() const { return rest_; }

  /// The first data that windows of time would not judge: they are earlier than the data before
  /// them by at least a window, or only they, or only the data before them, have a time.
  struct TimeFault {
    double latest = 0;
    std::optional<double> time;
    bool wasTimed = false;
    std::string file;
  };
  const std::optional<TimeFault>& timeFault() const { return timeFault_; }

private:
  void start(double now);
  void compareTimes(const Fragment& next);
  bool isWhole() const;
  bool endsBefore(const Fragment& next) const;
  bool hasTimePassed(const Fragment& next) const;
  void evaluate();
  void finishRounds();
  void keepWindow(std::size_t check, std::size_t slice, const finding& outcome);

  const MeasuredPlan& subject_;
  engine::LoadedChecker checker_;
  /// Observes all data in one window, for violations that only all data show, and for curves; empty
  /// if neither is needed.
  std::optional<engine::LoadedChecker> whole_;
  std::vector<char> came_;
  engine::LoadedRouter router_;
  Routed routed_;
  CheckRecords records_;
  ClaimEnds ends_;
  Details details_;
  RoundPlace round_;
  Activations activations_;
  engine::LoadedPlan::standings verdicts_;
  bool isAny_ = false, isTimed_ = false;
  std::uint64_t tokens_ = 0, responses_ = 0, rows_ = 0, rest_ = 0;
  std::string_view file_;
  std::optional<double> step_;
  double now_ = 0, began_ = 0;
  std::optional<double> shortestTime_;
  std::optional<TimeFault> timeFault_;
};

} // namespace tikc::measure
