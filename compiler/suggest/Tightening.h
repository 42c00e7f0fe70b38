#pragma once

#include "suggest/Draft.h"
#include "suggest/Trial.h"

#include <string>
#include <vector>

/// A contract that is there, tightened to data.
namespace tikc::suggest {

struct Tightened {
  std::string text;               // with what else was written as it was
  std::vector<std::string> notes; // what data break or do not tell, a line each
  std::string fault;              // why there is nothing to go on from
};

/// Limits that the data meet with more room than is asked for come down to it, with a comment, and
/// figures that no clause is about are added. A limit that data break stays: that it is too narrow
/// is one of two explanations. What comes out has no finding that the contract has not.
Tightened tighten(const std::string& contract, const SuggestionAsked& asked,
                  const data::Source& source, const Look& look, unsigned jobs);

} // namespace tikc::suggest
