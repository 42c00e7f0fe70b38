#pragma once

#include "bounds/prove/Prover.h"
#include "report/Report.h"

#include <map>
#include <vector>

namespace tikc::pipeline {

/// The worst of each claim's verdicts, by its number in the contract.
std::map<std::size_t, bounds::Verdict> worstVerdicts(const bounds::Proof& proof);

/// Counts each claim with the worst of its verdicts.
void countVerdicts(const bounds::Proof& proof, std::map<std::string_view, std::uint64_t>& counts);

/// What became of each claim, slices with the same outcome told together.
std::vector<report::ClaimVerdict> verdictsOf(FileId file, const model::Contract& contract,
                                             const bounds::Proof& proof);

} // namespace tikc::pipeline
