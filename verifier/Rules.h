#pragma once

#include "verifier/Text.h"

#include <functional>
#include <set>

/// How a step of a derivation follows from what it rests on.
namespace verify {

/// A fact that stands: an input, or the result of an accepted step.
struct Known {
  Fact fact;
  std::string origin; // the lemma, or the quoted text
  bool isInput = false;
  std::string shareKey;            // weight or token_weight
  Quote quote;                     // of an input
  std::vector<std::int64_t> rests; // on these
};

/// A step while it is checked.
struct Step {
  std::int64_t id = 0;
  std::string lemma;
  std::vector<const Known*> args;
  std::vector<std::string> params;
  std::vector<const Known*> under;
  Fact fact;

  const Fact& arg(std::size_t i) const {
    return i < args.size() ? args[i]->fact : throw Rejected{"an argument is missing"};
  }
  Rational param(std::size_t i) const {
    return i < params.size() ? parseRational(params[i]) : throw Rejected{"a parameter is missing"};
  }
  bool isUnder(std::string_view marker) const {
    return std::any_of(under.begin(), under.end(),
                       [&](const Known* known) { return known->fact.isAbout(marker); });
  }
};

/// What steps have to know of the contract.
struct Setting {
  std::set<std::string> slices;    // with the remainder, where there is one
  bool knowsSlices = false;        // the certificate lists them
  bool slicesCutResponses = false; // a slice can begin within a response
  bool isOneToken = false;         // gradients are of one token
};

[[noreturn]] inline void reject(std::string why) { throw Rejected{std::move(why)}; }
inline void require(bool condition, std::string_view what) {
  if (!condition)
    reject(std::string(what));
}

/// Whether a premise holds at the place of a conclusion.
inline bool holdsAt(const Fact& premise, const Fact& place) {
  return (premise.scope.empty() || premise.scope == place.scope) &&
         (premise.link.empty() || premise.link == place.link);
}

/// What the step's lemma gives from the claimed bounds of its arguments; rejects a step whose
/// arguments are not the lemma's.
Value conclude(const Step& step, const Setting& setting);

/// Whether the value is on the safe side of what is claimed, decided with ever more bits.
bool confirms(const std::function<Value()>& compute, const Rational& claimed, bool lower,
              std::int64_t bits);

} // namespace verify
