#pragma once

#include "bounds/prove/Deduction.h"

namespace tikc::bounds {

/// Applies all lemmas to the facts of one place until no bound gets tighter.
void close(Deduction& deduction, Table& table);

/// Applies one lemma to the means of a place: a concave curve at the mean, a convex curve through
/// its chord to the supremum.
bool carryMean(Deduction& deduction, Table& table, const DeductionStep& step,
               const std::vector<FactId>& under);

/// The filled premises of a lemma: one fact for each parameter that takes one.
struct Filling {
  std::vector<std::optional<FactId>> facts; // by parameter
  std::optional<Rational> share;
};

/// Replaces the fillings by every way to fill one more parameter.
void extend(const Deduction& deduction, const Table& table, const Premise& premise,
            std::vector<Filling>& fillings);

} // namespace tikc::bounds
