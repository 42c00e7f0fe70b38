#pragma once

#include "diag/Sink.h"
#include "support/Edits.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "syntax/Tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tikc::syntax {

/// What stands in place of a scalar's text, by the offset of its first byte.
using Rewritten = std::unordered_map<std::uint32_t, std::string>;

/// The edits that give a file its canonical layout: blanks between tokens, indentation, blank
/// lines. Lines stay lines, comments stay where they are, and no byte changes that is not a blank,
/// but for what is rewritten. The tree is the file's, read without a fault. Nothing where a token
/// has no place in the tree, which would be a fault of tikc.
std::optional<std::vector<Edit>> layOut(const SourceManager& sources, const Tree& tree,
                                        const Rewritten& rewritten, const Limits& limits);

} // namespace tikc::syntax
