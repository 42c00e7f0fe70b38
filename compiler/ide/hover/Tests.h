#pragma once

#include "ide/hover/Cards.h"

#include <optional>

namespace tikc::ide {

/// Describes the thing at a place of a test file: a key, a verdict, or a name of the contract.
/// Returns its place, or nothing.
std::optional<Span> tellInTests(Card& card, const Analysis& analysis, std::uint32_t offset);

} // namespace tikc::ide
