#pragma once

#include "diag/Sink.h"
#include "support/Edits.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tikc::yaml {

/// Replacement texts of scalars, by the offset of their first byte.
using Rewritten = std::unordered_map<std::uint32_t, std::string>;

/// Returns the edits to canonical layout: spaces between tokens, indentation, empty lines. Lines
/// and comments stay in place, and only whitespace changes, except for replaced scalars. The file's
/// tree must be free of faults. Returns nothing on an internal error: a token without a place in
/// the tree.
std::optional<std::vector<Edit>> layOut(const SourceManager& sources, const Tree& tree,
                                        const Rewritten& rewritten, const Limits& limits);

} // namespace tikc::yaml
