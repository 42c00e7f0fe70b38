#pragma once

#include "bounds/prove/Engine.h"
#include "bounds/prove/Results.h"

namespace tikc::bounds {

enum class Condition : std::uint8_t;

/// A lemma, one of its uses, and the use's conditions.
struct DeductionStep {
  const Lemma* lemma;
  const Use* use;
  std::vector<Condition> conditions;
};

/// The shared state of all places of a problem: the facts, the relevant lemmas, and their results.
class Deduction {
public:
  Deduction(Problem& problem, std::shared_ptr<Results> results);

  /// Adds a fact to a table if it is tighter than the present ones.
  bool offer(Table& table, Fact fact);
  /// Sets the fact's bound: exact, or rounded outward to half the precision, so that other
  /// arithmetic can confirm it. Returns false if the result is not finite.
  bool settle(Fact& fact, const Result& result) const;
  /// Whether the conclusion is strict because a premise is: the lemma strictly increases in each
  /// drift, and the result is neither 0 nor a cap.
  bool keepsStrictness(const Lemma& lemma, const Fact& fact) const;
  Real argument(const Rational& value) const { return {value, problem.bits}; }
  /// Returns the fact's bound, at most its quantity's cap.
  Real argument(const Fact& fact) const;
  /// Returns the fact that a quantity with a cap is at most its cap.
  FactId capOf(const Table& table, Quantity quantity);
  bool isRelevant(Quantity quantity) const { return relevant_[static_cast<std::size_t>(quantity)]; }

  Problem& problem;
  Derivation& facts;
  std::shared_ptr<Results> results;
  std::vector<DeductionStep> steps; // only those that can lead to a goal
  std::vector<Rational> goalShares; // the shares on which goals may fail

private:
  bool offerQuantile(Table& table, Fact fact);
  void findAsked();
  void findRelevant();

  std::array<bool, quantityCount> relevant_{};
};

inline std::size_t at(Quantity quantity) { return static_cast<std::size_t>(quantity); }
inline bool isUpper(Quantity quantity) { return info(quantity).side == QuantityInfo::Side::Upper; }
/// Whether a fact fills the premise.
inline bool isFact(const Premise& premise) {
  return premise.need != Premise::Need::Nothing && premise.need != Premise::Need::Asked &&
         premise.need != Premise::Need::Chosen;
}

} // namespace tikc::bounds
