#pragma once

#include "bounds/facts/Lemma.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace tikc::bounds {

/// A parameter's value as a person writes it: a number, p/q, or the name of a number format.
struct NamedValue {
  std::string name;
  std::string value;
};

/// One lemma at given numbers, in any order of names: the enclosure of its value. An error where a
/// name is unknown, missing or given twice, a value is outside its domain, or the hypotheses do not
/// hold.
llvm::Expected<Real> evaluate(const Lemma& lemma, const std::vector<NamedValue>& inputs,
                              unsigned bits);

/// Whether each value is one that its parameter can take.
bool areInDomain(const Lemma& lemma, Arguments values);

/// As it completes "must be …".
std::string_view domainText(Domain domain);

/// The unit roundoff 2^−p of a number format, rounding to nearest; nothing for an unknown name.
std::optional<Rational> unitRoundoff(std::string_view format);

} // namespace tikc::bounds
