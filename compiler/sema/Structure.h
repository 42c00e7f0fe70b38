#pragma once

#include "model/Keys.h"
#include "sema/Context.h"
#include "syntax/Tree.h"

namespace tikc::sema {

/// Which keys a contract may lack: none, those of its content (it is abstract), or any (a syntax
/// error cut it short).
enum class Completeness : std::uint8_t { Whole, Abstract, Cut };

/// Holds a tree against Keys.def. Reports what does not fit and marks it invalid, so that later
/// steps pass over it. This and the JSON Schema are two readings of the same tables and must agree.
void checkStructure(FileContext& context, syntax::Node& root, model::Shape shape,
                    Completeness completeness);

} // namespace tikc::sema
