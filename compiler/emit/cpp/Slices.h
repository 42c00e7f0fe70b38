#pragma once

#include "emit/Writer.h"
#include "plan/Plan.h"

namespace tikc::emit::cpp {

/// What slices ask of a request, and which slice it is in.
void writeSlices(Writer& out, const plan::Plan& plan);

} // namespace tikc::emit::cpp
