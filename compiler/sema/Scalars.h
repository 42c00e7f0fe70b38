#pragma once

#include "model/Keys.h"
#include "sema/Context.h"
#include "syntax/Tree.h"

namespace tikc::sema {

/// "the number 3", "a list", "nothing": how messages name a value.
std::string describe(const syntax::Node& node);

/// Reports that a node is not of the kind that its place wants, and marks it.
diag::Diagnostic& reportWrongKind(FileContext& context, syntax::Node& node,
                                  const model::ShapeInfo& want);

/// Checks a value that is one scalar: a text, a word, a number, a boolean.
void checkScalar(FileContext& context, syntax::Node& node, const model::ShapeInfo& want);

} // namespace tikc::sema
