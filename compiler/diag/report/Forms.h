#pragma once

#include "diag/report/Report.h"

namespace tikc::diag {

#define RENDERING(Name, ...)                                                                       \
  std::string form##Name(const Report& report, const RenderOptions& options);
#include "diag/report/Renderings.def"

} // namespace tikc::diag
