#pragma once

#include "bounds/prove/Deduction.h"

/// What a use of a lemma needs of the place where it is used, beside its premises' numbers: the one
/// function that decides whether facts are about what the lemma is about.
namespace tikc::bounds {

/// Each is a way in which a fact about one law, kernel or population could pass for one about
/// another.
enum class Condition : std::uint8_t {
  ServedLaws,     // both laws are those that tokens are drawn from
  KeptLaws,       // the first law is that given what the second serves
  Samples,        // the link's second kernel drew, from the law that is compared
  WholeResponses, // prefixes are those of the responses: drawn by the second kernel, none cut
  EqualSupport,   // what either kernel can sample the other can, too
};

/// What a use needs; an attack takes away each of them in turn.
std::vector<Condition> conditionsOf(const Lemma& lemma, const Use& use);

/// Whether a condition holds at the table's place.
bool grants(const Deduction& deduction, const Table& table, Condition condition);

/// Whether the use may be applied at the table's place. Facts that have to stand beside its
/// premises are added to `under`.
bool stands(const Deduction& deduction, const Table& table, const DeductionStep& step,
            std::vector<FactId>& under);

} // namespace tikc::bounds
