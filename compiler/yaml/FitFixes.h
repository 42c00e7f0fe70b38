#pragma once

#include "diag/Diagnostic.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <string>
#include <string_view>
#include <vector>

namespace tikc::yaml {

/// Returns the text escaped for the quotes of a scalar's style.
std::string escaped(Style style, std::string_view text);

/// Converts fixes of expressions, which do not know their scalars, to edits of the file. Quotes
/// within quotes are escaped, and a plain scalar that cannot hold the new text is quoted.
void fitFixes(const SourceManager& sources, const Tree& tree,
              std::vector<diag::Diagnostic>& diagnostics);

} // namespace tikc::yaml
