#pragma once

#include "ide/hover/Cards.h"

#include <optional>

namespace tikc::ide {

/// What stands at a place of a file of tests: a key, a verdict, or a name of the contract. Where it
/// stands, or nothing.
std::optional<Span> tellInTests(Card& card, const Analysis& analysis, std::uint32_t offset);

} // namespace tikc::ide
