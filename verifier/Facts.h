#pragma once

#include "verifier/Json.h"

namespace verify {

enum class Level { Context, Response, Given };
enum class Domain { Any, NonNegative, Share, Positive, AtLeastOne, Count, Marker };

/// What facts are about. `lower`: facts bound it from below.
struct Quantity {
  std::string_view name;
  Level level;
  Domain domain;
  bool lower;
};

/// Null for an unknown name.
const Quantity* findQuantity(std::string_view name);

/// Nothing where hypotheses do not hold.
using Value = std::optional<Number>;

/// The value as the quantity can take it: at most 1 for a share; nothing outside its domain.
Value inDomain(const Quantity& quantity, const Rational& value);

/// Cuts off what stands before a separator.
std::string_view take(std::string_view& text, std::string_view separator);

enum class Quantifier { Given, Sup, Mean, Quantile };

/// A bound on a quantity. A quantile may fail on a share. It holds in a scope (a slice, "*" for the
/// mixture of all, "" everywhere) and for a link of two kernels ("" for all links).
struct Fact {
  const Quantity* quantity = nullptr;
  Quantifier quantifier = Quantifier::Given;
  Rational share;
  std::string scope, link;
  Rational bound;

  bool isAbout(std::string_view name) const { return quantity->name == name; }
  bool sameKey(const Fact& other) const {
    return quantity == other.quantity && quantifier == other.quantifier && share == other.share;
  }
};

} // namespace verify
