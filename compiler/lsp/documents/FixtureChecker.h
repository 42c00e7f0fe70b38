#pragma once

#include "lsp/documents/WorldChecker.h"

namespace tikc::lsp {

/// Runs a file of tests on the contracts that it names, as a world has them. It rests on them.
Analysis runFixture(const World& world, const CheckSubject& subject,
                    const std::shared_ptr<pipeline::CheckCache>& cache);

} // namespace tikc::lsp
