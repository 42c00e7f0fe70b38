#pragma once

#include "changes/Changes.h"

namespace tikc::changes {

/// Which step of its version a contract takes, and which its changes need. Before 1.0.0 a step of
/// the second number is a major one, as semantic versioning has it.
VersionVerdict versionVerdict(const model::Contract& was, const model::Contract& is,
                              VersionStep needed);

} // namespace tikc::changes
