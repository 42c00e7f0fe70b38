#pragma once

#include "model/Contract.h"
#include "plan/Plan.h"

namespace tikc::lower {

/// The plan of a contract that was found free of errors.
plan::Plan lower(const model::Contract& contract);

} // namespace tikc::lower
