#pragma once

#include "expr/ExprFaults.h"
#include "model/Expr.h"
#include "support/Limits.h"

#include "TikcParser.h"

#include <functional>

/// Converts ANTLR's trees to the model's; places are bytes of the text. A fault that shows up here
/// is stored and reported later, because looking for a fix runs the parser again, which frees the
/// trees.
namespace tikc::expr {

using KeptFault = std::function<void(ExprReport&)>;

model::Requirement build(const ExprText& expr, const Limits& limits,
                         grammar::TikcParser::RequirementEntryContext* tree, KeptFault& fault);
model::Expr build(const ExprText& expr, const Limits& limits,
                  grammar::TikcParser::PredicateEntryContext* tree, KeptFault& fault);
model::Expr build(const ExprText& expr, const Limits& limits,
                  grammar::TikcParser::TriggerEntryContext* tree, KeptFault& fault);
model::Expr build(const ExprText& expr, const Limits& limits,
                  grammar::TikcParser::CallEntryContext* tree, KeptFault& fault);
model::Amount build(const ExprText& expr, const Limits& limits,
                    grammar::TikcParser::QuantityEntryContext* tree, KeptFault& fault);

} // namespace tikc::expr
