#pragma once

#include "suggest/Draft.h"
#include "suggest/Trial.h"

#include <string>

/// A contract from data: what is proposed here, the ordinary pipeline decides.
namespace tikc::suggest {

struct Proposal {
  std::string text;    // in canonical style; empty where it is refused
  std::string refusal; // why nothing follows from these data
  std::string fault;   // what the pipeline objects to in what was asked for
};

/// All of the source is read several times. What comes out checks clean and is satisfied by the
/// data.
Proposal propose(const SuggestionAsked& asked, const data::Source& source, const Look& look,
                 unsigned jobs);

} // namespace tikc::suggest
