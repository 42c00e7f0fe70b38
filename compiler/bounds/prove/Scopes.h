#pragma once

#include "bounds/prove/Deduction.h"

/// Whether a lemma may be used at a place, beyond the values of its premises. Only this file
/// decides that facts are about the lemma's subject.
namespace tikc::bounds {

/// A condition on a use. Without it, a fact about one law, kernel or population could pass for
/// another.
enum class Condition : std::uint8_t {
  ServedLaws,     // both laws are those that tokens are sampled from
  KeptLaws,       // the first law is conditioned on what the second serves
  Samples,        // the link's second kernel sampled, from the compared law
  WholeResponses, // prefixes are those of uncut responses that the second kernel sampled
  EqualSupport,   // both kernels can sample equal sets of tokens
};

/// Returns the conditions of a use; the knockout tests remove each in turn.
std::vector<Condition> conditionsOf(const Lemma& lemma, const Use& use);

/// Whether a condition holds at the table's place.
bool grants(const Deduction& deduction, const Table& table, Condition condition);

/// Whether the use may be applied at the table's place. Adds facts that it needs besides its
/// premises to `under`.
bool stands(const Deduction& deduction, const Table& table, const DeductionStep& step,
            std::vector<FactId>& under);

} // namespace tikc::bounds
