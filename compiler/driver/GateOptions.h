#pragma once

#include "driver/Commands.h"
#include "gate/Gate.h"
#include "pipeline/TestedContracts.h"

#include <optional>
#include <string>

/// Options of commands with a gate's state.
namespace tikc::driver {

/// Reads --now; the default is the clock.
llvm::Expected<double> timeOf(const Invocation& invocation);
/// Reads "30 min", "2 h" or "90"; empty without the option.
llvm::Expected<std::optional<double>> durationOf(const Invocation& invocation, OptionName option);
/// Reads --per-prompt, --rows-per-response and --range.
llvm::Expected<gate::Terms> termsOf(const Invocation& invocation, const model::Contract& contract);
/// Fails if the contract does not have the stage; the error lists its stages.
llvm::Error whyNoStage(const model::Contract& contract, const std::string& stage);
/// Returns the plan for evidence of a stage: for the evidence's pair, with the stage's windows. If
/// the stage has none, the evidence's rounds count.
measure::MeasuredPlan stagedPlan(const plan::Plan& plan, const engine::LoadedPlan& loaded,
                                 const std::string& stage, const measure::Evidence* evidence);

} // namespace tikc::driver
