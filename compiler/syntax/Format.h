#pragma once

#include "support/Edits.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "syntax/ExprParser.h"
#include "syntax/Tree.h"

#include <optional>
#include <vector>

namespace tikc::syntax {

/// The edits that bring a file into canonical style: its layout, and the blanks within plain
/// expressions. The tree is the file's, read without a fault. Nothing where that fails, which would
/// be a fault of tikc.
std::optional<std::vector<Edit>> format(const SourceManager& sources, const Tree& tree,
                                        const Limits& limits, ExprParser& expressions);

/// Whether two files differ in blanks alone: in the same tree, with the same comments in the same
/// places, of scalars with the same values but for the blanks of expressions.
bool differInBlanksAlone(const SourceManager& sources, const Tree& before, const Tree& after);

} // namespace tikc::syntax
