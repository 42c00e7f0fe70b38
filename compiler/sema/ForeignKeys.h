#pragma once

#include "model/Keys.h"
#include "sema/Context.h"
#include "yaml/Tree.h"

#include <cstddef>

/// Suggests equivalents of keys from engines and trainers.
namespace tikc::sema {

/// Reports the entry's key as one from another tool, together with neighbouring keys that belong
/// into the same inner map, and marks their keys invalid. Returns false if the key is unknown.
bool reportForeignKey(FileContext& context, yaml::Node& node, std::size_t at, model::Map map);

} // namespace tikc::sema
