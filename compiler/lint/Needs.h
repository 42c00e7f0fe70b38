#pragma once

#include "model/Contract.h"

#include <map>
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

/// What bounds need; the clauses of a contract share a few levels, so each is computed once.
class Needs {
public:
  /// Nothing where one observation may be enough, or it is not about single observations.
  std::optional<Need> of(const model::Bound& bound);

private:
  std::optional<Need> ofQuantile(const model::Bound& bound);
  const Need& ofLevel(const Rational& level);

  std::map<Rational, Need> ofLevels_;
};

std::string reasonOf(const Need& need, const model::Bound& bound);
/// Thousands apart: 50,000.
std::string grouped(const mpz_class& count);

} // namespace tikc::lint
