#pragma once

#include "bounds/prove/Prover.h"
#include "diag/report/Report.h"

#include <map>
#include <vector>

namespace tikc::pipeline {

/// Returns the worst verdict of each claim, by its index in the contract.
std::map<std::size_t, bounds::Verdict> worstVerdicts(const bounds::Proof& proof);

/// Counts each claim by its worst verdict.
void countVerdicts(const bounds::Proof& proof, std::map<std::string_view, std::uint64_t>& counts);

/// Returns the verdicts on all claims; slices with the same outcome share one entry.
std::vector<diag::ClaimVerdict> verdictsOf(FileId file, const model::Contract& contract,
                                           const bounds::Proof& proof);

} // namespace tikc::pipeline
