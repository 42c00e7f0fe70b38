#pragma once

#include "suggest/Draft.h"
#include "suggest/Look.h"

#include "data/Source.h"

#include <string>
#include <string_view>

/// Compares the clauses that a claim could rest on.
namespace tikc::suggest {

struct Choices {
  std::string table;   // for people; empty if there are none
  std::string refusal; // why no clause bounds the quantity
  std::string fault;   // what the pipeline reports about the quantity or the options
};

/// Lists the clauses that bound a claim's quantity, such as `seq_tv` or `max(tv)`, each at its
/// value in the data, alone or with a cap, and with the bound that follows; the tightest first.
Choices choicesFor(std::string_view quantity, const SuggestionOptions& options,
                   const data::Source& source, const Look& look, unsigned jobs);

} // namespace tikc::suggest
