#pragma once

#include "bounds/facts/Lemma.h"
#include "model/Laws.h"
#include "support/Span.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

/// What a derivation is made of: facts, each an input from the contract or the result of a lemma.
namespace tikc::bounds {

inline constexpr std::size_t quantityCount = []() constexpr {
  std::size_t count = 0;
#define QUANTITY(...) ++count;
#include "bounds/facts/Quantities.def"
  return count;
}
();

enum class FactId : std::uint32_t {};

/// What a fact is about, but for where it holds.
struct Key {
  Quantity quantity{};
  Quantifier quantifier = Quantifier::Sup;
  Rational share; // of a Quantile: the share of the population on which the bound may fail
  /// It fails on less than the share. That is what a quantile from below says: where as much as its
  /// level lies below a value, it is no more than what lies there.
  bool isOpen = false;

  /// Whether a bound that holds here holds there, too, as far as shares go.
  bool covers(const Key& there) const {
    return share < there.share || (share == there.share && (isOpen || !there.isOpen));
  }
  friend bool operator==(const Key&, const Key&) = default;
};

/// The two laws that a fact compares, and who drew the prefixes, tokens or responses that it is
/// measured on.
struct About {
  model::Law first = model::Law::Served, second = model::Law::Served;
  /// The first law is that given the tokens which the second can give.
  bool kept = false;
  std::uint32_t drawer = 0; // a kernel's place in the chain, or model::Drawer::ofText

  friend bool operator==(const About&, const About&) = default;
};

/// What a fact is about beside its quantity: a slice of the population, the two kernels that it
/// compares, and their laws. All three index the lists of a Problem.
struct Place {
  std::uint32_t slice = 0;
  std::uint32_t link = 0;
  std::uint32_t about = 0;

  static constexpr std::uint32_t any = 0xffffffff;
  friend bool operator==(const Place&, const Place&) = default;
};

/// One comparison of a contract's clauses.
struct ClauseBound {
  std::size_t clause = 0, bound = 0; // indices into the clauses, and into the clause's bounds

  const model::Clause& clauseOf(const model::Contract& contract) const {
    return contract.clauses[clause];
  }
  const model::Bound& boundOf(const model::Contract& contract) const {
    return clauseOf(contract).bounds[bound];
  }
  friend bool operator==(const ClauseBound&, const ClauseBound&) = default;
};

/// The part of the contract that an input rests on.
struct Origin {
  enum class Kind : std::uint8_t { Clause, Assumption, Fact, Default };
  Kind kind = Kind::Default;
  std::string name;                       // of the clause or key: worst_drift, horizon
  std::string text;                       // what it says: max(logit_osc) <= 1
  Span span;                              // of that text
  std::optional<ClauseBound> stated = {}; // of a Clause
  bool isThreshold = false;               // the number is what a rate counts by, not its limit
};

/// A logarithm, and the rational that a bound was rounded to from it.
struct Exactly {
  Logarithm value;
  Rational rounded;
};

struct Fact {
  Key key;
  Place place;
  /// What holds of the quantity, on the side that its row states. Exact; an irrational result is
  /// rounded outward to a binary number.
  Rational bound;
  Rational otherEnd; // of the enclosure of an irrational result
  std::optional<Exactly> exactly;
  bool strict = false;
  std::optional<Origin> origin; // of an input; else the lemma that gave it
  const Lemma* lemma = nullptr;
  const Lemma* curve = nullptr;     // the lemma that a mean or a quantile was carried through
  std::vector<FactId> premises;     // in the order of the parameters, without chosen and asked ones
  std::vector<FactId> under;        // facts that must stand, beside the parameters
  std::vector<Rational> parameters; // chosen and asked ones

  /// The logarithm that the bound is, as long as it is that bound.
  const Logarithm* logarithm() const {
    return exactly && exactly->rounded == bound ? &exactly->value : nullptr;
  }
  Real value(unsigned bits) const {
    return logarithm() ? Real(*logarithm(), bits) : Real(bound, bits);
  }
  /// Says of its own quantity what another fact says of its own.
  void takeBound(const Fact& other) {
    bound = other.bound;
    otherEnd = other.bound;
    exactly = other.exactly;
    strict = other.strict;
  }
};

/// Every fact of one decision, in the order found: a fact rests on earlier ones only.
class Derivation {
public:
  FactId add(Fact fact) {
    facts_.push_back(std::move(fact));
    return static_cast<FactId>(facts_.size() - 1);
  }
  const Fact& operator[](FactId id) const { return facts_[static_cast<std::size_t>(id)]; }
  /// Before anything is derived from it.
  template <typename Change> void change(FactId id, const Change& change) {
    change(facts_[static_cast<std::size_t>(id)]);
  }
  std::size_t size() const { return facts_.size(); }

private:
  std::deque<Fact> facts_; // a fact stays where it is
};

/// Whether the first bound says more than the second.
inline bool isTighter(const Fact& a, const Fact& b) {
  bool upper = info(a.key.quantity).side == QuantityInfo::Side::Upper;
  if (a.bound != b.bound)
    return upper ? a.bound < b.bound : a.bound > b.bound;
  return a.strict && !b.strict;
}

} // namespace tikc::bounds
