#pragma once

#include "driver/MeasureRequest.h"
#include "measure/Forms.h"

#include <llvm/Support/Error.h>

#include <memory>
#include <optional>
#include <string>

namespace tikc::driver {

/// The measurement that --against names.
class MeasuredAgainst {
public:
  /// Returns null without the option.
  static llvm::Expected<std::unique_ptr<const MeasuredAgainst>>
  of(const MeasureRequest& request, const measure::MeasuredPlan& subject);

  const measure::MeasuredContract& contract() const { return *contract_; }
  const std::string& name() const { return name_; }

private:
  MeasuredAgainst(const measure::MeasuredPlan& subject, measure::Measurement measured)
      : subject_(subject), measured_(std::move(measured)) {}

  measure::MeasuredPlan subject_;
  measure::Measurement measured_;
  std::optional<measure::MeasuredContract> contract_; // refers to the others
  std::string name_;
};

} // namespace tikc::driver
