#pragma once

#include "support/Source.h"
#include "yaml/Tree.h"

#include <string>

namespace tikc::yaml {

/// Prints the tree as JSON: kinds, types, styles, values, and places as [line, column, line,
/// column].
std::string dumpTree(const SourceManager& sources, const Tree& tree);

} // namespace tikc::yaml
