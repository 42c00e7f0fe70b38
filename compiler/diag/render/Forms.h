#pragma once

#include "diag/Rendering.h"

namespace tikc::diag::rendering {

#define RENDERING(Name, ...)                                                                       \
  std::string form##Name(const Report& report, const RenderOptions& options);
#include "diag/Renderings.def"

} // namespace tikc::diag::rendering
