#pragma once

#include "bounds/prove/Engine.h"

#include <string_view>
#include <vector>

namespace tikc::bounds {

class Deduction;

/// What a contract could say more, as it completes "missing: …".
struct Wish {
  Key key;
  std::string_view says;
  /// Where it is said, and an example of how: entries of that map, a line each. Numbers are
  /// anybody's guess.
  std::string_view section, example;
};

/// That the inference kernel can draw whatever the training kernel can.
const Wish& fullSupport();

/// A least set of things to say with which some derivation would reach the goal's quantity; empty
/// where it is reached already, or no wish helps.
std::vector<Wish> missingFor(const Goal& goal, const Deduction& deduction, const Table& table);

} // namespace tikc::bounds
