#pragma once

#include "changes/Changes.h"

namespace tikc::changes {

/// Returns the version step that a contract takes, and the step that its changes need. Before
/// 1.0.0, a step of the second number is a major one, as in semantic versioning.
VersionVerdict versionVerdict(const model::Contract& old, const model::Contract& fresh,
                              VersionStep needed);

} // namespace tikc::changes
