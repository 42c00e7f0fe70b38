#pragma once

#include "audit/settings/Corrections.h"
#include "model/Contract.h"

namespace tikc::audit {

/// Holds settings against what a contract says of its server, its policy and its correction; gives
/// how many both state. What disagrees goes to the sink.
std::size_t compareSettings(const SourceManager& sources, const model::Contract& contract,
                            const std::vector<SetValue>& settings,
                            const std::vector<TrainerCorrection>& corrections, diag::Sink& sink);

} // namespace tikc::audit
