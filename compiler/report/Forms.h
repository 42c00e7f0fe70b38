#pragma once

#include "report/Report.h"

namespace tikc::report {

#define RENDERING(Name, ...)                                                                       \
  std::string form##Name(const Report& report, const RenderOptions& options);
#include "report/Renderings.def"

} // namespace tikc::report
