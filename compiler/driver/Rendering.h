#pragma once

#include "driver/Commands.h"
#include "report/Report.h"

namespace tikc::driver {

/// How findings are drawn: what the command line says, and the terminal.
report::RenderOptions renderOptions(const Invocation& invocation);

} // namespace tikc::driver
