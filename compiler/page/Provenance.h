#pragma once

#include "measure/Evidence.h"
#include "measure/Forms.h"
#include "page/ReportPage.h"

#include <string_view>

namespace tikc::page {

/// The contract and where it is, its kernels, the files and what they are known by; of evidence
/// also under what it was observed.
Provenance provenanceOf(const measure::MeasuredContract& of, std::string_view place,
                        const measure::Evidence* evidence);

} // namespace tikc::page
