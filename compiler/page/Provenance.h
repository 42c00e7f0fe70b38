#pragma once

#include "measure/Evidence.h"
#include "measure/Forms.h"
#include "page/ReportPage.h"

#include <string_view>

namespace tikc::page {

/// Returns the contract and its place, its kernels, and the files with their digests; for evidence,
/// also the settings of the observation.
Provenance provenanceOf(const measure::MeasuredContract& contract, std::string_view place,
                        const measure::Evidence* evidence);

} // namespace tikc::page
