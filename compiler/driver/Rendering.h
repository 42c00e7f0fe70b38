#pragma once

#include "diag/report/Report.h"
#include "driver/Commands.h"

namespace tikc::driver {

/// Returns how to draw findings, from the options and the terminal.
diag::RenderOptions renderOptions(const Invocation& invocation);

} // namespace tikc::driver
