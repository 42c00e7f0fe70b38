#pragma once

#include "bounds/prove/Engine.h"

#include <map>
#include <optional>
#include <vector>

namespace tikc::bounds {

class Deduction;

/// A cache of closed places, by the numbers that they start from. While a text is edited, usually
/// all slices but one repeat. A cached result has exactly the facts that closing would derive.
class Closings {
public:
  /// Closes a place like close(), from the cache if possible.
  void close(Deduction& deduction, Table& table);
  /// Begins the next proof, and drops entries that the last ones did not use.
  void turn();

private:
  /// A fact: one that the table started with, or a derived one.
  struct Ref {
    bool isSeed = false;
    std::size_t index = 0;
  };
  struct Slots {
    std::array<std::array<std::optional<Ref>, 3>, quantityCount> tightest;
    std::array<std::vector<Ref>, quantityCount> quantiles;
    std::array<std::uint32_t, quantityCount> version{};
  };
  struct StoredFact {
    Fact fact; // without its place and its ids
    std::vector<Ref> premises, under;
  };
  struct Outcome {
    std::vector<StoredFact> facts;
    Slots slots;
    CutOff cutOff;
    unsigned lastUsed = 0;
  };
  /// All input of a closing: the key of the cache.
  struct Start {
    std::vector<std::uint64_t> shape;
    std::vector<Rational> numbers;

    friend bool operator<(const Start& a, const Start& b) {
      return a.shape != b.shape ? a.shape < b.shape : a.numbers < b.numbers;
    }
  };

  static Start startOf(const Deduction& deduction, const Table& table,
                       const std::vector<FactId>& seeds);
  static Outcome record(const Deduction& deduction, const Table& table,
                        const std::vector<FactId>& seeds, std::size_t before);
  static void apply(const Outcome& outcome, Deduction& deduction, Table& table,
                    const std::vector<FactId>& seeds);

  std::map<Start, Outcome> outcomes_;
  unsigned turn_ = 0;
};

} // namespace tikc::bounds
