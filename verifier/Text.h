#pragma once

#include "verifier/Tree.h"

namespace verify {

/// A bound on a quantity: a "sup", a "mean", a "quantile" that may fail on a share, or a "given".
/// Its place is a scope (a slice, or "*" for the mixture), a link "a>b" of two kernels, the
/// distributions compared ("served whole"; "kept …": the first kernel's served distribution
/// conditioned on the second's support), and the sampler. An empty part means all.
struct Fact {
  std::string quantity, quantifier, scope, link, laws, drawn;
  Number share, bound;
  bool strict = false; // the bound is not reached
  bool open = false;   // a quantile fails on less than its share

  bool sameKey(const Fact& other) const {
    return quantity == other.quantity && quantifier == other.quantifier && share == other.share;
  }
  bool samePlace(const Fact& other) const {
    return scope == other.scope && link == other.link && laws == other.laws && drawn == other.drawn;
  }
};

/// The statement of a comparison, without a place.
struct Statement {
  Fact fact; // without a quantity if nothing can bound a claim's comparison
  std::string op;
  std::vector<std::string> scopes; // "*" for "on all"; empty for every slice
  std::string text = {};           // of the comparison, without its tail
};

/// Reads a "clause", a "claim" or a "counter". A counter is what a clause requires on the side that
/// no fact has: at least so much drift, of the mean ("mean"), of some figure ("sup") or of every
/// one ("given").
std::vector<Statement> readRequirement(const Tree& entry, const std::string& kind);
/// Reads an assumption, or a fact of the model.
std::vector<Fact> readGiven(const Tree& entry);
/// Reads the kind of a gradient, and the range of its weights.
std::vector<Fact> readEstimator(const Tree& estimator, bool isMean, bool isWeighted,
                                bool isGrouped);
bool isMeanOfTokens(const Tree* loss);
bool isMeanOfBatch(const Tree* loss);

const std::string& scalarOf(const Tree& tree);
/// Returns the items of a list, or a single scalar; empty for null.
std::vector<std::string> itemsOf(const Tree* tree);
/// Returns a number; 1 if the tree is null.
Number numberOf(const Tree* tree);

} // namespace verify
