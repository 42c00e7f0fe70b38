#pragma once

#include "sema/Context.h"
#include "syntax/Tree.h"

#include <cstddef>

namespace tikc::sema {

/// Takes back edits of a requirement that could not be read, where what they write would be at
/// fault: the grammar does not know what confidence can be had in. `before` is how many findings
/// there were before it was read.
void adviseOnRequirement(FileContext& context, const syntax::Node& scalar, std::size_t before);

} // namespace tikc::sema
