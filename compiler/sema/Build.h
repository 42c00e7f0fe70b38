#pragma once

#include "model/Contract.h"
#include "sema/Context.h"
#include "yaml/Tree.h"

namespace tikc::sema {

/// Reads a tree that checkStructure has accepted into the typed contract. Leaves out invalid nodes.
/// Names are resolved later.
model::Contract buildContract(FileContext& context, const yaml::YamlDocument& document);

} // namespace tikc::sema
