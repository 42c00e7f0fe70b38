#pragma once

#include "model/Contract.h"
#include "sema/Context.h"
#include "syntax/Tree.h"

namespace tikc::sema {

/// Reads a tree that checkStructure has accepted into the typed contract. Leaves out invalid nodes.
/// Names are resolved later.
model::Contract buildContract(FileContext& context, const syntax::YamlDocument& document);

} // namespace tikc::sema
