#pragma once

#include "bounds/facts/Lemma.h"

#include <string>
#include <vector>

/// A part of a lemma's page, independent of the format.
namespace tikc::explain {

struct LemmaPart {
  std::string_view title;
  std::string text;
};

/// Returns statement, hypotheses, formula and so on; parts that the lemma lacks are left out.
std::vector<LemmaPart> partsOf(const bounds::Lemma& lemma);
/// Returns one sentence for each use of the lemma in derivations, and the conditions of all uses.
std::vector<std::string> usesOf(const bounds::Lemma& lemma);

} // namespace tikc::explain
