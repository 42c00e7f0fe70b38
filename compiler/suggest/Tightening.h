#pragma once

#include "suggest/Draft.h"
#include "suggest/Trial.h"

#include <string>
#include <vector>

/// Tightens an existing contract to data.
namespace tikc::suggest {

struct TighteningResult {
  std::string text;               // with everything else as it was
  std::vector<std::string> notes; // what data break or do not show, one per line
  std::string fault;              // why there is no result
};

/// Tightens limits that the data meet with more than the requested headroom, with a comment, and
/// adds figures that no clause bounds. A limit that data break is unchanged: that it is too narrow
/// is only one of two explanations. The result has no new finding.
TighteningResult tighten(const std::string& contract, const SuggestionOptions& options,
                         const data::Source& source, const Look& look, unsigned jobs);

} // namespace tikc::suggest
