#pragma once

#include "model/Contract.h"

#include <optional>
#include <string>
#include <string_view>

namespace tikc::lint {

/// How many observations a clause takes before any verdict is possible, and by which lemma; none
/// where it is what the checker's own interval takes.
struct Need {
  Rational count;
  std::string_view lemma;
};
/// Nothing where one observation may be enough, or it is not about single observations.
std::optional<Need> neededFor(const model::Bound& bound);
std::string reasonOf(const Need& need, const model::Bound& bound);
/// Thousands apart: 50,000.
std::string grouped(const mpz_class& count);

} // namespace tikc::lint
