#pragma once

#include "bounds/prove/Engine.h"

#include <string_view>
#include <vector>

namespace tikc::bounds {

class Deduction;

/// A statement that a contract could add, in words that complete "missing: …".
struct Wish {
  Key key;
  std::string_view says;
  /// The section for the statement, and example entries, one per line. The numbers are only
  /// examples.
  std::string_view section, example;
};

/// Returns the wish that the server can sample every token that the trainer can.
const Wish& fullSupport();

/// Returns a smallest set of statements with which a derivation would reach the goal's quantity.
/// Empty if it is reached already, or no wish helps.
std::vector<Wish> missingFor(const Goal& goal, const Deduction& deduction, const Table& table);

} // namespace tikc::bounds
