#pragma once

#include "bounds/facts/Lemma.h"
#include "model/Laws.h"
#include "support/Span.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

/// Derivations: facts, each of which is an input from the contract or the result of a lemma.
namespace tikc::bounds {

inline constexpr std::size_t quantityCount = []() constexpr {
  std::size_t count = 0;
#define QUANTITY(...) ++count;
#include "bounds/facts/Quantities.def"
  return count;
}
();

enum class FactId : std::uint32_t {};

/// The subject of a fact, without its place.
struct Key {
  Quantity quantity{};
  Quantifier quantifier = Quantifier::Sup;
  Rational share; // for a Quantile: the share of the population on which the bound may fail
  /// Whether the bound fails on less than the share. Lower bounds on a quantile say this: if the
  /// values below x have less mass than its level, the quantile is at least x.
  bool isOpen = false;

  /// Whether a bound with this share also holds with the other.
  bool covers(const Key& there) const {
    return share < there.share || (share == there.share && (isOpen || !there.isOpen));
  }
  friend bool operator==(const Key&, const Key&) = default;
};

/// The two laws that a fact compares, and the sampler of its prefixes, tokens or responses.
struct About {
  model::Law first = model::Law::Served, second = model::Law::Served;
  /// Whether the first law is conditioned on the tokens that the second can sample.
  bool isKept = false;
  std::uint32_t drawer = 0; // index of a kernel in the chain, or model::Drawer::ofText

  friend bool operator==(const About&, const About&) = default;
};

/// The place of a fact: the slice, the two kernels and their laws. All three are indices into the
/// lists of a Problem.
struct Place {
  std::uint32_t slice = 0;
  std::uint32_t link = 0;
  std::uint32_t about = 0;

  static constexpr std::uint32_t any = 0xffffffff;
  friend bool operator==(const Place&, const Place&) = default;
};

/// One comparison of a clause.
struct ClauseBound {
  std::size_t clause = 0, bound = 0; // index of the clause, and of the bound in it

  const model::Clause& clauseOf(const model::Contract& contract) const {
    return contract.clauses[clause];
  }
  const model::Bound& boundOf(const model::Contract& contract) const {
    return clauseOf(contract).bounds[bound];
  }
  friend bool operator==(const ClauseBound&, const ClauseBound&) = default;
};

/// The part of the contract that gives an input.
struct Origin {
  enum class Kind : std::uint8_t { Clause, Assumption, Fact, Default };
  Kind kind = Kind::Default;
  std::string name;                       // of the clause or key: worst_drift, horizon
  std::string text;                       // its text: max(logit_osc) <= 1
  Span span;                              // of the text
  std::optional<ClauseBound> stated = {}; // for a Clause
  bool isThreshold = false;               // the number is the threshold of a rate, not its limit
};

/// A logarithm, and the rational bound that it was rounded to.
struct Exactly {
  Logarithm value;
  Rational rounded;
};

struct Fact {
  Key key;
  Place place;
  /// The bound of the quantity, on the side that its row states. Exact; an irrational result is
  /// rounded outward to a binary number.
  Rational bound;
  Rational otherEnd; // the other end of the enclosure of an irrational result
  std::optional<Exactly> exactly;
  bool strict = false;
  std::optional<Origin> origin; // of an input; other facts have a lemma
  const Lemma* lemma = nullptr;
  const Lemma* curve = nullptr;     // the lemma through which a mean or a quantile was carried
  std::vector<FactId> premises;     // in the order of the parameters; parameters without a fact are
                                    // left out
  std::vector<FactId> under;        // facts that must hold in addition to the parameters
  std::vector<Rational> parameters; // the chosen and asked parameters

  /// The logarithm that the bound stands for; null once the bound has changed.
  const Logarithm* logarithm() const {
    return exactly && exactly->rounded == bound ? &exactly->value : nullptr;
  }
  Real value(unsigned bits) const {
    return logarithm() ? Real(*logarithm(), bits) : Real(bound, bits);
  }
  /// Copies the bound of another fact, but not its subject.
  void takeBound(const Fact& other) {
    bound = other.bound;
    otherEnd = other.bound;
    exactly = other.exactly;
    strict = other.strict;
  }
};

/// All facts of one decision, in order of derivation: a fact rests only on earlier ones.
class Derivation {
public:
  FactId add(Fact fact) {
    facts_.push_back(std::move(fact));
    return static_cast<FactId>(facts_.size() - 1);
  }
  const Fact& operator[](FactId id) const { return facts_[static_cast<std::size_t>(id)]; }
  /// Changes a fact. Call this before anything is derived from it.
  template <typename Change> void change(FactId id, const Change& change) {
    change(facts_[static_cast<std::size_t>(id)]);
  }
  std::size_t size() const { return facts_.size(); }

private:
  std::deque<Fact> facts_; // facts never move
};

/// Whether the first bound is strictly tighter than the second.
inline bool isTighter(const Fact& a, const Fact& b) {
  bool upper = info(a.key.quantity).side == QuantityInfo::Side::Upper;
  if (a.bound != b.bound)
    return upper ? a.bound < b.bound : a.bound > b.bound;
  return a.strict && !b.strict;
}

} // namespace tikc::bounds
