#pragma once

#include "sema/Subjects.h"

/// What values can be.
namespace tikc::sema {

ValueRange sizesOf(const ValueRange& values);
/// From what is measured to its aggregate.
void applyDomain(const metrics::AggregateInfo& aggregate, Subject& subject);

} // namespace tikc::sema
