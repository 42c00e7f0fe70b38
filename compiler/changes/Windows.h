#pragma once

#include "changes/ReactionChanges.h"

#include <string>

namespace tikc::changes {

/// Why a rule that counts windows reacts later, or for less time, although it counts as many: the
/// windows of a clause are others. Empty where it does not.
std::string whyWindowsMatter(const model::Contract& was, const model::Contract& is,
                             const model::Rule& rule, const Renamings& renamings);

} // namespace tikc::changes
