#pragma once

#include "suggest/Draft.h"
#include "suggest/Trial.h"

#include <string>

/// Proposes a contract from data; the ordinary pipeline decides about it.
namespace tikc::suggest {

struct Proposal {
  std::string text;    // in canonical style; empty if refused
  std::string refusal; // why nothing follows from these data
  std::string fault;   // a fault that the pipeline reports in the options
};

/// Proposes a contract, reading the whole source several times. The result checks clean, and the
/// data satisfy it.
Proposal propose(const SuggestionOptions& options, const data::Source& source, const Look& look,
                 unsigned jobs);

} // namespace tikc::suggest
