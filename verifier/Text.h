#pragma once

#include "verifier/Tree.h"

namespace verify {

/// A bound on a quantity: a "sup", a "mean", a "quantile" that may fail on a share, or what is
/// "given". It holds in a scope (a slice, "*" for the mixture of all, "" everywhere) and for a link
/// "a>b" of two kernels ("" for all).
struct Fact {
  std::string quantity, quantifier, scope, link;
  Number share, bound;

  bool sameKey(const Fact& other) const {
    return quantity == other.quantity && quantifier == other.quantifier && share == other.share;
  }
};

/// A fact that an entry of a contract states, of no one slice or link.
struct Statement {
  Fact fact;
  std::string op;                  // of a comparison
  std::vector<std::string> scopes; // "*" for "on all"; empty for every slice
};

/// Of a "clause" or a "claim".
std::vector<Statement> readRequirement(const Tree& entry, const std::string& kind);
/// "a>b" where the entry names one.
std::string linkOf(const Tree& entry);
/// Of an assumption, of a fact of the model, or of a slice.
std::vector<Statement> readGiven(const Tree& entry);
/// What estimator, correction and group state together.
std::vector<Statement> readEstimator(const Tree& estimator, const std::vector<const Tree*>& with);

} // namespace verify
