#pragma once

#include "engine/LoadedPlan.h"
#include "measure/Activations.h"
#include "measure/Assumed.h"
#include "measure/CheckRecords.h"
#include "measure/ClaimEnds.h"
#include "measure/Details.h"
#include "measure/Fragments.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tikc::measure {

/// Judges fragments one after the other, at the rounds that they are cut for.
class Judging {
public:
  /// Hears of each thing that a rule does, with its cause, when it does it: nothing keeps them all.
  using Routed = llvm::function_ref<void(const transition&)>;
  Judging(const MeasuredPlan& subject, const engine::LoadedPolicy& policy, Routed routed = nullptr);

  /// `piece` names what the fragment was shown.
  void take(const Fragment& of, std::uint64_t piece);
  void finish();

  const CheckRecords& records() const { return records_; }
  const ClaimEnds& ends() const { return ends_; }
  /// Of nothing, unless they are asked for; curves once all is judged.
  const Details& details() const { return details_; }
  const Activations& activations() const { return activations_; }
  /// By slice, whether any token or row of it came.
  const std::vector<char>& came() const { return came_; }
  /// Of all fragments so far.
  Assumed assumed() const { return Assumed::of(checker_); }

  /// Observations that came after the last round, which no round is.
  std::uint64_t rest() const { return rest_; }

private:
  void start(double now);
  bool isWhole() const;
  bool endsBefore(const Fragment& next) const;
  void evaluate();
  void finishRounds();
  void keepWindow(std::size_t check, std::size_t slice, const finding& found);

  const MeasuredPlan& subject_;
  engine::LoadedChecker checker_;
  /// What is disproved by all data is, however they are cut, and curves are of all; where neither
  /// is asked for, there is none.
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
};

} // namespace tikc::measure
