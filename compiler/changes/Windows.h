#pragma once

#include "changes/ReactionChanges.h"

#include <string>

namespace tikc::changes {

/// Why a rule that counts windows reacts later, or for less time, although it counts as many: the
/// windows of a clause are others. Empty where it does not.
std::string whyWindowsMatter(const model::Contract& was, const model::Contract& is,
                             const model::Rule& rule, const Renamings& renamings);

/// The same of a clause that got tighter: what waits for it to be satisfied, or ends when it is
/// violated.
std::string whyTighterMatters(const model::Rule& rule, const std::set<std::string>& tightened);

} // namespace tikc::changes
