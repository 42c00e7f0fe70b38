#pragma once

#include "sema/Context.h"
#include "yaml/Tree.h"

#include <cstddef>

namespace tikc::sema {

/// Removes suggested edits of an unreadable requirement that would cause a new fault: the grammar
/// does not know which measures allow a confidence. `before` is the number of findings before it
/// was read.
void adviseOnRequirement(FileContext& context, const yaml::Node& scalar, std::size_t before);

} // namespace tikc::sema
