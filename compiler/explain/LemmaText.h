#pragma once

#include "bounds/facts/Lemma.h"

#include <string>
#include <vector>

/// What the page of a lemma says, however it is laid out.
namespace tikc::explain {

struct LemmaPart {
  std::string_view title;
  std::string text;
};

/// Statement, hypotheses, formula and so on, without those that the lemma lacks.
std::vector<LemmaPart> partsOf(const bounds::Lemma& lemma);
/// One sentence for each way in which derivations use the lemma, and what holds for all of them.
std::vector<std::string> usesOf(const bounds::Lemma& lemma);

} // namespace tikc::explain
