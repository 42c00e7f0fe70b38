#pragma once

#include "story/Story.h"

#include <functional>

/// How far numbers of a contract can go with a claim still following.
namespace tikc::story {

/// A search for a larger number ends at so many times what is declared.
inline constexpr unsigned farthest = 1024;

struct Extent {
  std::optional<Rational> largest; // nothing where not even the least passes
  bool isFree = false;             // the farthest passes, too
};

/// Holds of every value below one that it holds of.
using Follows = std::function<bool(const Rational&)>;
Extent extentOf(const Rational& declared, const Follows& follows);
/// The same in whole numbers from 1.
Extent wholeExtentOf(const Rational& declared, const Follows& follows);

/// The bound at tolerances from 0 to twice the declared one.
std::vector<Point> curveOf(const bounds::WhatIf& whatIf, const bounds::Fact& clause);

bounds::WhatIf::Outcome withHorizon(const bounds::WhatIf& whatIf, const Rational& horizon);

} // namespace tikc::story
