#pragma once

#include "bounds/prove/Prover.h"

/// What was decided, in words and in decimals that say no more than is true.
namespace tikc::bounds {

/// A number on the given side of itself, in four digits or as many more as tell it from another.
std::string decimalBeside(const Rational& number, const Rational& other, Rounding rounding);

/// A goal as its author wrote it, and what follows, in the same unit.
struct Wording {
  std::string_view comparator; // <=
  std::string limit;           // 6.5%
  std::string bound;           // 6.424%; empty without a fact

  std::string budget() const; // <= 6.5%
};
Wording wordingOf(const model::Contract& contract, const Goal& goal, const Fact* fact);

/// Where the search for a proof was cut off, a sentence each.
std::vector<std::string> cutOffLines(const CutOff& cutOff);

/// The population that a witness is, a sentence a line.
std::vector<std::string> populationLines(const Witness& witness);
/// What was evaluated of it: "0.24491", "[0.24491, 0.24492]".
std::string valueText(const Witness::Row& row);

} // namespace tikc::bounds
