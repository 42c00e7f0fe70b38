#pragma once

#include "audit/settings/Corrections.h"
#include "model/Contract.h"

namespace tikc::audit {

/// Compares settings with a contract's server, policy and correction. Reports differences to the
/// sink, and returns how many settings both have.
std::size_t compareSettings(const SourceManager& sources, const model::Contract& contract,
                            const std::vector<SetValue>& settings,
                            const std::vector<TrainerCorrection>& corrections, diag::Sink& sink);

} // namespace tikc::audit
