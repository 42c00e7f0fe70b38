#pragma once

#include "model/Keys.h"
#include "sema/Context.h"
#include "yaml/Tree.h"

namespace tikc::sema {

/// Which keys a contract may lack: none (whole), those of its content (abstract), or any (a syntax
/// error cut it short).
enum class Completeness : std::uint8_t { Whole, Abstract, Cut };

/// Checks a tree against Keys.def. Reports nodes that do not fit and marks them invalid, so that
/// later steps ignore them. The JSON Schema is generated from the same tables and must agree.
void checkStructure(FileContext& context, yaml::Node& root, model::Shape shape,
                    Completeness completeness);

} // namespace tikc::sema
