#pragma once

#include "bounds/prove/Engine.h"
#include "bounds/prove/Results.h"

namespace tikc::bounds {

enum class Condition : std::uint8_t;

/// A lemma, one of its uses, and on what conditions.
struct DeductionStep {
  const Lemma* lemma;
  const Use* use;
  std::vector<Condition> conditions;
};

/// What every place of one problem shares: the facts, the lemmas that can matter, and their results
/// so far.
class Deduction {
public:
  Deduction(Problem& problem, std::shared_ptr<Results> results);

  /// Takes a fact into a table where it is tighter than what is there.
  bool offer(Table& table, Fact fact);
  /// The result as a fact's bound: exact, or rounded outward to half the precision, so that whoever
  /// checks it with his own arithmetic can confirm it. False where there is no finite result.
  bool settle(Fact& fact, const Result& result) const;
  /// Whether the result is not reached where its premises are not: the lemma increases strictly in
  /// each drift, and neither a 0 nor a cap hides it.
  bool keepsStrictness(const Lemma& lemma, const Fact& fact) const;
  Real argument(const Rational& value) const { return {value, problem.bits}; }
  /// What a fact says, which is no more than what nothing exceeds.
  Real argument(const Fact& fact) const;
  /// The fact that a quantity with a cap is at most its cap.
  FactId capOf(const Table& table, Quantity quantity);
  bool isRelevant(Quantity quantity) const { return relevant_[static_cast<std::size_t>(quantity)]; }

  Problem& problem;
  Derivation& facts;
  std::shared_ptr<Results> results;
  std::vector<DeductionStep> steps; // with a conclusion that some goal can rest on
  std::vector<Rational> asked;      // shares on which goals may fail

private:
  bool offerQuantile(Table& table, Fact fact);
  void findAsked();
  void findRelevant();

  std::array<bool, quantityCount> relevant_{};
};

inline std::size_t at(Quantity quantity) { return static_cast<std::size_t>(quantity); }
inline bool isUpper(Quantity quantity) { return info(quantity).side == QuantityInfo::Side::Upper; }
/// Whether the premise is a fact about its quantity.
inline bool isFact(const Premise& premise) {
  return premise.need != Premise::Need::Nothing && premise.need != Premise::Need::Asked &&
         premise.need != Premise::Need::Chosen;
}

} // namespace tikc::bounds
