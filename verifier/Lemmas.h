#pragma once

#include "verifier/Facts.h"

namespace verify {

using Arguments = const std::vector<Number>&;

/// The curve of a lemma in its one `each` premise, which decides what means may enter.
enum class Shape { Unknown, Concave, Convex };

/// A rule of derivation. `uses` are separated by ';', each "premise, … -> conclusion [under
/// marker]":
///   each q    a supremum or a quantile; the conclusion is a supremum, or fails on all their shares
///   sup q, mean q, given q
///   at q      the share on which a quantile fails, and its value: two parameters, one argument
///   chosen    a free parameter; asked: the share on which the conclusion may fail
/// Formulas are nondecreasing in every drift, so upper bounds may enter for it.
struct Lemma {
  std::string_view id, uses;
  bool needsFullSupport;
  Shape shape;
  Value (*formula)(Arguments a);
};

const Lemma* findLemma(std::string_view id);

struct Premise {
  std::string need;
  const Quantity* quantity;
};
struct Use {
  std::vector<Premise> premises;
  const Quantity* concludes;
  Quantifier quantifier;  // of the conclusion, without each premises
  std::string_view under; // the marker of a kind of estimator
};
std::vector<Use> usesOf(const Lemma& lemma);

} // namespace verify
