#pragma once

#include "model/Keys.h"
#include "sema/Context.h"
#include "syntax/Tree.h"

#include <cstddef>

/// Keys that people bring from engines and trainers, answered with what stands for them here.
namespace tikc::sema {

/// Reports the entry's key as such a one, with those beside it that belong into the same map within
/// this one, whose keys are marked invalid. False where it is none.
bool reportForeignKey(FileContext& context, syntax::Node& node, std::size_t at, model::Map map);

} // namespace tikc::sema
