#pragma once

#include "model/Expr.h"

/// Canonical forms for values and expressions with several spellings.
namespace tikc::model {

/// Returns the amount in its dimension's base unit, a rate per second: 10 min is 600 s, 1% is 0.01.
Amount canonical(const Amount& quantity);

/// Returns the expression in canonical form. Quantities lose their unit, which follows from the
/// other side; only bits keep it, because no multiple of a nat equals one. Synonyms become the
/// usual word, and sets are sorted.
Expr canonical(const Expr& expr);
Requirement canonical(const Requirement& requirement);

} // namespace tikc::model
