#pragma once

#include "driver/Commands.h"
#include "report/Report.h"

namespace tikc::driver {

/// Returns how to draw findings, from the options and the terminal.
report::RenderOptions renderOptions(const Invocation& invocation);

} // namespace tikc::driver
