#pragma once

#include "syntax/Tree.h"

namespace tikc::ide {

/// Returns the node that the alias at a place refers to; null without an alias.
const syntax::Node* aliasedAt(const syntax::Tree& tree, std::uint32_t offset);

} // namespace tikc::ide
