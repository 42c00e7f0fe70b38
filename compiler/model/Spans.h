#pragma once

#include "model/Expr.h"

namespace tikc::model {

/// Calls `visit` with every Span of a tree, even unset ones. Structured bindings name every member,
/// so a new one cannot be forgotten.
template <typename Visit> void forEachSpan(Amount& quantity, const Visit& visit) {
  auto& [value, unit, per, span, numberSpan] = quantity;
  visit(span);
  visit(numberSpan);
}

template <typename Visit> void forEachSpan(Name& name, const Visit& visit) {
  auto& [text, span] = name;
  visit(span);
}

template <typename Visit> void forEachSpan(Expr& expr, const Visit& visit) {
  auto& [kind, comparator, text, span, nameSpan, quantity, keyword, arguments] = expr;
  visit(span);
  visit(nameSpan);
  forEachSpan(quantity, visit);
  forEachSpan(keyword, visit);
  for (Expr& argument : arguments)
    forEachSpan(argument, visit);
}

template <typename Visit> void forEachSpan(Scope& scope, const Visit& visit) {
  auto& [kind, slices, span] = scope;
  for (Name& slice : slices)
    forEachSpan(slice, visit);
  visit(span);
}

template <typename Visit> void forEachSpan(Comparison& comparison, const Visit& visit) {
  auto& [subject, comparator, comparatorSpan, bound, upper, scope, over, confidence, span] =
      comparison;
  forEachSpan(subject, visit);
  visit(comparatorSpan);
  forEachSpan(bound, visit);
  forEachSpan(scope, visit);
  for (std::optional<Amount>* each : {&upper, &over, &confidence})
    if (*each)
      forEachSpan(**each, visit);
  visit(span);
}

template <typename Visit> void forEachSpan(Requirement& requirement, const Visit& visit) {
  auto& [comparisons, span] = requirement;
  for (Comparison& comparison : comparisons)
    forEachSpan(comparison, visit);
  visit(span);
}

} // namespace tikc::model
