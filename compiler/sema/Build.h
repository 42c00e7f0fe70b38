#pragma once

#include "model/Contract.h"
#include "sema/Context.h"
#include "syntax/Tree.h"

namespace tikc::sema {

/// Reads a tree that checkStructure has passed into the typed contract. Names are not resolved yet;
/// what was invalid is left out.
model::Contract buildContract(FileContext& context, const syntax::YamlDocument& document);

} // namespace tikc::sema
