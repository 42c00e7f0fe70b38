#pragma once

#include "expr/ExprParser.h"
#include "support/Edits.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <optional>
#include <vector>

namespace tikc::expr {

/// Returns the edits to canonical style: layout, and the spacing of plain expressions. The file's
/// tree must be free of faults. Returns nothing on an internal error.
std::optional<std::vector<Edit>> format(const SourceManager& sources, const yaml::Tree& tree,
                                        const Limits& limits, ExprParser& expressions);

/// Returns whether two files differ in whitespace alone: equal trees, comments in the same places,
/// and values that are equal except for the spacing of expressions.
bool differInBlanksAlone(const SourceManager& sources, const yaml::Tree& before,
                         const yaml::Tree& after);

} // namespace tikc::expr
