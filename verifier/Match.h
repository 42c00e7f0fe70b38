#pragma once

#include "verifier/Lemmas.h"
#include "verifier/Rules.h"

/// How a step's arguments fill a lemma's parameters.
namespace verify {

/// The claimed bound, as the quantity can take it.
Number valueOf(const Fact& fact);

/// Matches a step with one use of its lemma; the arguments of the formula.
std::optional<std::vector<Number>> match(const Step& step, const Use& use, bool needsFullSupport);

/// The curve of a lemma in its one `each` premise, with its other premises filled.
struct Curve {
  const Lemma* lemma = nullptr;
  std::vector<Number> values;
  std::size_t each = 0;
  bool hasChosen = false;
  std::size_t chosen = 0;

  Value at(Number x, const Rational& choice) const {
    std::vector<Number> arguments = values;
    arguments[each] = std::move(x);
    if (hasChosen)
      arguments[chosen] = choice;
    return lemma->formula(arguments);
  }
};

/// The curve that the first parameter names; the step's arguments from `rest` on fill it.
Curve curveOf(const Step& step, Shape shape, std::size_t rest);

} // namespace verify
