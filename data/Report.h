#pragma once

#include "data/Fault.h"
#include "data/text/Json.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tikc::data {

/// What a side's numbers were, by NumberClass.
using ClassCounts = std::array<std::uint64_t, 6>;

/// What became of the records of a piece: nothing is left out of it. They add up over pieces.
struct PieceReport {
  std::uint64_t records = 0;
  std::uint64_t responses = 0;
  std::uint64_t broken = 0;   // records that a fault was found in
  std::uint64_t unpaired = 0; // responses of a join that no other side has
  std::uint64_t padding = 0;
  std::uint64_t skipped = 0;       // entries that a preset or a shift leaves without a partner
  std::uint64_t unknownValues = 0; // of versions, rewards and the like that are not one number
  /// Responses that say which of their tokens count, and which are there: a mask, a length, and
  /// whether they are kept.
  std::uint64_t withMask = 0, withLength = 0, withKept = 0;
  std::uint64_t withStep = 0; // or with one in the name of the file
  ClassCounts train{}, infer{};
  std::vector<Fault> faults; // the first ones
  /// From where on nothing is known of a file, or of an array: more than a record that is broken.
  std::optional<Fault> lost;
  /// What a layout names that some record has, by the names of roles and labels.
  std::set<std::string, std::less<>> found;

  void add(const PieceReport& other, std::size_t mostFaults);
};

/// What a piece is, wherever it lies and whatever it is called.
struct PieceId {
  std::array<std::uint8_t, 16> digest{};

  auto operator<=>(const PieceId&) const = default;
  std::string hex() const;
};

} // namespace tikc::data
