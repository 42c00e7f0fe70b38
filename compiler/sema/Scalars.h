#pragma once

#include "model/Keys.h"
#include "sema/Context.h"
#include "yaml/Tree.h"

namespace tikc::sema {

/// Describes a value in messages: "the number 3", "a list", "nothing".
std::string describe(const yaml::Node& node);

/// Reports that a node is not of the expected kind, and marks it invalid.
diag::Diagnostic& reportWrongKind(FileContext& context, yaml::Node& node,
                                  const model::ShapeInfo& want);

/// Checks a scalar value: a text, a word, a number or a boolean.
void checkScalar(FileContext& context, yaml::Node& node, const model::ShapeInfo& want);

} // namespace tikc::sema
