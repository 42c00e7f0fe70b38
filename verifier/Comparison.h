#pragma once

#include "verifier/Number.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The expressions of a contract, as far as bounds rest on them.
namespace verify {

struct Amount {
  Rational value;
  bool inBits = false;
};

class Tokens {
public:
  explicit Tokens(std::string_view text) : rest_(text) { next(); }

  bool is(std::string_view word) const { return token_ == word; }
  bool take(std::string_view word) {
    bool found = is(word);
    if (found)
      next();
    return found;
  }
  void expect(std::string_view word);
  std::string name();
  std::string any() {
    std::string out = token_;
    next();
    return out;
  }
  /// A number, in nats, in tokens or without dimension.
  Amount amount();

private:
  void next();

  std::string_view rest_;
  std::string token_;
};

/// aggregate(metric) op quantity, with its tails.
struct Comparison {
  std::string aggregate, metric; // the aggregate may be empty; p99 reads as quantile
  Rational level;
  bool absolute = false;
  std::vector<Rational> parameters; // clipped(low, high), veto(low), rate(ratio < low)
  std::vector<std::pair<std::string, Amount>> limits;
  bool onAll = false;
  std::vector<std::string> slices;
};

Comparison readComparison(Tokens& in);

} // namespace verify
