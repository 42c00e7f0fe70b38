#pragma once

#include "bounds/prove/Prover.h"

/// Decisions in words, with decimals rounded so that they stay true.
namespace tikc::bounds {

/// Returns the number rounded in the given direction, with four digits, or more if needed to
/// distinguish it from `other`.
std::string decimalBeside(const Rational& number, const Rational& other, Rounding rounding);

/// A goal as its author wrote it, and the derived bound in an equal unit.
struct Wording {
  std::string_view comparator; // <=
  std::string limit;           // 6.5%
  std::string bound;           // 6.424%; empty without a fact

  std::string budget() const; // <= 6.5%
};
Wording wordingOf(const model::Contract& contract, const Goal& goal, const Fact* fact);

/// Returns a sentence for each limit that cut off the search for a proof.
std::vector<std::string> cutOffLines(const CutOff& cutOff);

/// Returns a description of a witness's population, one sentence per line.
std::vector<std::string> populationLines(const Witness& witness);
/// Returns an evaluated number: "0.24491", "[0.24491, 0.24492]".
std::string valueText(const Witness::Row& row);

} // namespace tikc::bounds
