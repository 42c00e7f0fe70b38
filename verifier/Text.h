#pragma once

#include "verifier/Formula.h"

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

/// A fact that a text states, of no one slice or link.
struct Statement {
  Fact fact;
  std::string op;                  // of a comparison
  bool inBits = false;             // the bound is still to be multiplied by log 2
  std::vector<std::string> scopes; // "*" for "on all"; empty for every slice
};

/// A part of a contract, from a key to the end of its value, read again from nothing but its text.
struct Quote {
  std::string key, word; // an estimator, a correction or the predicate of a slice
  std::string link;      // "a>b" where it names one
  std::vector<Statement> statements;
};

/// A number, in nats or in bits, in tokens or without dimension.
struct Amount {
  Number value;
  bool inBits = false;
};
Amount readAmount(Tokens& in);
/// Comparisons joined by "and", of a "clause" or a "claim", in these slices.
std::vector<Statement> readRequirement(std::string_view text, const std::string& kind,
                                       const std::vector<std::string>& scopes);
/// As a "clause", a "claim" or something "given".
Quote readQuote(std::string_view text, const std::string& kind);
/// What estimator, correction and group state together.
std::vector<Statement> readEstimator(const Quote& estimator, const std::vector<Quote>& with);

/// Whether a key and its whole value stand between these bytes, and not within a comment or a
/// value.
bool isWhole(std::string_view content, std::size_t from, std::size_t to);
/// The key at the margin that this byte stands under.
std::string sectionAt(std::string_view content, std::size_t at);

} // namespace verify
