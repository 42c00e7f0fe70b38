#pragma once

#include "lsp/documents/WorldChecker.h"

namespace tikc::lsp {

/// Runs a test file on the contracts that it names, with the texts of a world. The result depends
/// on these contracts.
Analysis runFixture(const World& world, const CheckSubject& subject,
                    const std::shared_ptr<pipeline::CheckCache>& cache);

} // namespace tikc::lsp
