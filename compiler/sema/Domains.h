#pragma once

#include "sema/Subjects.h"

/// The values that subjects can have.
namespace tikc::sema {

ValueRange sizesOf(const ValueRange& values);
/// Changes the range of a subject from the measured values to their aggregate.
void applyDomain(const model::AggregateInfo& aggregate, Subject& subject);

} // namespace tikc::sema
