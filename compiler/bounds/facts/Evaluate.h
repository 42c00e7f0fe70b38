#pragma once

#include "bounds/facts/Lemma.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace tikc::bounds {

/// A parameter and its value as text: a number, p/q, or the name of a number format.
struct NamedValue {
  std::string name;
  std::string value;
};

/// Evaluates a lemma at named values, in any order, and returns an enclosure. Fails if a name is
/// unknown, missing or repeated, a value is outside its domain, or the hypotheses do not hold.
llvm::Expected<Real> evaluate(const Lemma& lemma, const std::vector<NamedValue>& inputs,
                              unsigned bits);

/// Whether each value is in the domain of its parameter.
bool areInDomain(const Lemma& lemma, Arguments values);

/// Returns the domain in words that complete "must be …".
std::string_view domainText(Domain domain);

/// Returns the unit roundoff 2^−p of a number format, rounding to nearest; nothing for an unknown
/// name.
std::optional<Rational> unitRoundoff(std::string_view format);

} // namespace tikc::bounds
