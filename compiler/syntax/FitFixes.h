#pragma once

#include "diag/Diagnostic.h"
#include "support/Source.h"
#include "syntax/Tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace tikc::syntax {

/// The text as it stands between the quotes of such a scalar.
std::string escaped(Style style, std::string_view text);

/// Fixes are found in expressions, which know nothing of the scalars that hold them. This turns
/// those that lie inside the tree's scalars into edits that are right in the file: a quote within
/// quotes is escaped, and a plain scalar that could not hold the new text is put in quotes.
void fitFixes(const SourceManager& sources, const Tree& tree,
              std::vector<diag::Diagnostic>& diagnostics);

} // namespace tikc::syntax
