#pragma once

#include "model/Expr.h"

/// One spelling for what can be said in several ways.
namespace tikc::model {

/// In its dimension's base unit, a rate per second: 10 min is 600 s, 1% is 0.01.
Amount canonical(const Amount& quantity);

/// A quantity of an expression has the unit of what it is compared with, so that none is left but
/// the bit, which is no multiple of a nat that could be written; of two words for one thing it has
/// the usual one; a set is in order.
Expr canonical(const Expr& expr);
Requirement canonical(const Requirement& requirement);

} // namespace tikc::model
