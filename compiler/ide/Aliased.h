#pragma once

#include "syntax/Tree.h"

namespace tikc::ide {

/// What the alias at a place stands for; null where none is there.
const syntax::Node* aliasedAt(const syntax::Tree& tree, std::uint32_t offset);

} // namespace tikc::ide
