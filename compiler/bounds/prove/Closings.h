#pragma once

#include "bounds/prove/Engine.h"

#include <map>
#include <optional>
#include <vector>

namespace tikc::bounds {

class Deduction;

/// What closing a place gave, for places that start from the same numbers: of a text that is being
/// edited, all slices but one do. What is given again is fact for fact what closing would find.
class Closings {
public:
  /// As close(), from what was closed before where that is possible.
  void close(Deduction& deduction, Table& table);
  /// Another proof begins: what the last ones did not use is forgotten.
  void turn();

private:
  /// A fact of the table at the start, or one that was found.
  struct Ref {
    bool isSeed = false;
    std::size_t index = 0;
  };
  struct Slots {
    std::array<std::array<std::optional<Ref>, 3>, quantityCount> tightest;
    std::array<std::vector<Ref>, quantityCount> quantiles;
    std::array<std::uint32_t, quantityCount> version{};
  };
  struct Found {
    Fact fact; // but for its place, and for the ids in it
    std::vector<Ref> premises, under;
  };
  struct Outcome {
    std::vector<Found> facts;
    Slots slots;
    CutOff cutOff;
    unsigned lastUsed = 0;
  };
  /// All that closing looks at.
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
