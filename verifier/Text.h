#pragma once

#include "verifier/Facts.h"

namespace verify {

/// One thing that a quoted text states, without a scope.
struct Statement {
  Fact fact;
  std::string op;                  // of a comparison: <= < >= >; of a share: weight or token_weight
  bool inBits = false;             // the bound is still to be multiplied by log 2
  bool onAll = false;              // "on all": of the mixture
  std::vector<std::string> slices; // "on a, b"; empty for every slice
};

/// A part of a contract as it stands in the file, from a key to the end of its value, read again
/// from nothing but this text.
struct Quote {
  std::string key;
  std::string link; // "a>b" where it names one
  std::vector<Statement> statements;
  /// Errors and gains of all layers, first to last, each as often as it is repeated.
  std::vector<std::pair<Rational, Rational>> layers;
  std::string word; // the name of an estimator or a correction, the predicate of a slice
};

enum class Reading { Clause, Claim, Given };
Quote read(std::string_view text, Reading reading);

} // namespace verify
