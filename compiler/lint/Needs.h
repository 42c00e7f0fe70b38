#pragma once

#include "model/Contract.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tikc::lint {

/// How many observations a clause needs for any verdict, and the lemma that says so; empty if the
/// checker's own interval does.
struct Need {
  Rational count;
  std::string_view lemma;
};

/// The needs of bounds. Clauses of a contract share a few levels, so each is computed once.
class Needs {
public:
  /// Returns nothing if one observation may suffice, or if the bound is not about single
  /// observations.
  std::optional<Need> of(const model::Bound& bound);

private:
  std::optional<Need> ofQuantile(const model::Bound& bound);
  const Need& ofLevel(const Rational& level);

  std::map<Rational, Need> ofLevels_;
};

std::string reasonOf(const Need& need, const model::Bound& bound);
/// Returns a number with thousands separators: 50,000.
std::string grouped(const mpz_class& count);

} // namespace tikc::lint
