#pragma once

#include "changes/Changes.h"

/// What a change to a contract means: decided by what both editions say, and not by their texts.
namespace tikc::changes {

ContractChanges compareContracts(const Edition& was, const Edition& is);

} // namespace tikc::changes
