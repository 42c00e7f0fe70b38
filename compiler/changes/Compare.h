#pragma once

#include "changes/Changes.h"

/// Compares the meanings of two editions, not their texts.
namespace tikc::changes {

ContractChanges compareContracts(const Edition& old, const Edition& fresh);

} // namespace tikc::changes
