#pragma once

#include "verifier/Tree.h"

namespace verify {

/// A bound on a quantity: a "sup", a "mean", a "quantile" that may fail on a share, or what is
/// "given". It is about a scope (a slice, "*" for the mixture of all), a link "a>b" of two kernels,
/// the laws of theirs that are compared ("served whole"; "kept …": the first kernel's served law
/// given what the second can give) and who drew; where it says nothing, about all.
struct Fact {
  std::string quantity, quantifier, scope, link, laws, drawn;
  Number share, bound;
  bool strict = false; // it is not reached
  bool open = false;   // a quantile fails on less than its share

  bool sameKey(const Fact& other) const {
    return quantity == other.quantity && quantifier == other.quantifier && share == other.share;
  }
  bool samePlace(const Fact& other) const {
    return scope == other.scope && link == other.link && laws == other.laws && drawn == other.drawn;
  }
};

/// What one comparison states, in no place yet.
struct Statement {
  Fact fact; // of no quantity where a claim's comparison is none that anything bounds
  std::string op;
  std::vector<std::string> scopes; // "*" for "on all"; empty for every slice
  std::string text = {};           // of the comparison, without its tail
};

/// Of a "clause" or a "claim"; of a "counter", what a clause asks on the side that no fact has: at
/// least so much drift, of the mean ("mean"), of some figure ("sup") or of every one ("given").
std::vector<Statement> readRequirement(const Tree& entry, const std::string& kind);
/// Of an assumption, or of a fact of the model.
std::vector<Fact> readGiven(const Tree& entry);
/// Which kind of gradient it is, and what its weights reach.
std::vector<Fact> readEstimator(const Tree& estimator, bool isMean, bool isWeighted,
                                bool isGrouped);
bool isMeanOfTokens(const Tree* loss);
bool isMeanOfBatch(const Tree* loss);

const std::string& scalarOf(const Tree& tree);
/// The items of a list, or a scalar; none where nothing stands.
std::vector<std::string> itemsOf(const Tree* tree);
/// A number, which stands alone; by default 1.
Number numberOf(const Tree* tree);

} // namespace verify
