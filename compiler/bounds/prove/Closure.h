#pragma once

#include "bounds/prove/Deduction.h"

namespace tikc::bounds {

/// Applies every lemma to one place's facts until nothing gets tighter.
void close(Deduction& deduction, Table& table);

/// Applies one lemma to the means of one place: a concave curve by its value at the mean, a convex
/// one by its chord to the supremum.
bool carryMean(Deduction& deduction, Table& table, const DeductionStep& step,
               const std::vector<FactId>& under);

/// A lemma's premises, filled: one fact for each parameter that takes one.
struct Filling {
  std::vector<std::optional<FactId>> facts; // by parameter
  std::optional<Rational> asked;
};

/// Every way to fill one more parameter.
void extend(const Deduction& deduction, const Table& table, const Premise& premise,
            std::vector<Filling>& fillings);

} // namespace tikc::bounds
