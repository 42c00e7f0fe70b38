#pragma once

#include "driver/Commands.h"
#include "driver/MeasuredPage.h"
#include "measure/Evidence.h"
#include "measure/Fragments.h"
#include "pipeline/TestedContracts.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace tikc::driver {

/// The options that affect how data are checked against a contract.
struct MeasureRequest {
  const Invocation& invocation;
  const model::Contract& contract;
  measure::MeasuredPlan subject;
  std::vector<std::string> clauses;
  std::vector<std::string> paths; // of data or evidence
  PageSubject page;

  static llvm::Expected<MeasureRequest> of(const Invocation& invocation, const PageSubject& page,
                                           const engine::LoadedPlan& loaded);
  std::string stage() const { return invocation.get("--stage"); }
  /// Returns the plan with the evidence's settings, unless options override them.
  llvm::Expected<measure::MeasuredPlan> subjectOf(const measure::Evidence& evidence) const;
};

} // namespace tikc::driver
