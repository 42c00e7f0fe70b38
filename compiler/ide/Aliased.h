#pragma once

#include "yaml/Tree.h"

namespace tikc::ide {

/// Returns the node that the alias at a place refers to; null without an alias.
const yaml::Node* aliasedAt(const yaml::Tree& tree, std::uint32_t offset);

} // namespace tikc::ide
