#pragma once

#include "driver/Commands.h"
#include "gate/Gate.h"
#include "pipeline/TestedContracts.h"

#include <optional>
#include <string>

/// What commands that keep a gate's state ask of a command line.
namespace tikc::driver {

/// --now, by default the clock's.
llvm::Expected<double> timeOf(const Invocation& invocation);
/// "30 min", "2 h", "90"; nothing where the option is not given.
llvm::Expected<std::optional<double>> durationOf(const Invocation& invocation,
                                                 std::string_view option);
/// --per-prompt, --rows-per-response and --range.
llvm::Expected<gate::Terms> termsOf(const Invocation& invocation, const model::Contract& contract);
/// A stage of the contract; an error names those that there are.
llvm::Error whyNoStage(const model::Contract& contract, const std::string& stage);
/// The contract as evidence of a stage is of it: of the evidence's pair, and cut as the stage says,
/// or as the evidence is where the stage leaves that open.
measure::MeasuredPlan stagedPlan(const plan::Plan& plan, const engine::LoadedPlan& loaded,
                                 const std::string& stage, const measure::Evidence* evidence);

} // namespace tikc::driver
