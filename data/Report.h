#pragma once

#include "data/Fault.h"
#include "data/text/Json.h"

#include <llvm/Support/Error.h>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tikc::data {

/// Counts of a side's numbers by NumberClass.
using ClassCounts = std::array<std::uint64_t, 6>;
inline void addCounts(ClassCounts& to, const ClassCounts& from) {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] += from[i];
}

/// Counts of all records of a piece. Reports add up over pieces.
struct PieceReport {
  std::uint64_t records = 0;
  std::uint64_t responses = 0;
  std::uint64_t broken = 0;   // records with a fault
  std::uint64_t unpaired = 0; // responses of a join without a partner
  std::uint64_t padding = 0;
  std::uint64_t skipped = 0;       // entries that have no partner because of a preset or a shift
  std::uint64_t unknownValues = 0; // versions, rewards and the like that are not a single number
  /// Responses that state which tokens count or exist: by a mask, a length, or a flag that they are
  /// kept.
  std::uint64_t withMask = 0, withLength = 0, withKept = 0;
  std::uint64_t withStep = 0; // also counts steps in the file's name
  ClassCounts train{}, infer{};
  std::vector<Fault> faults; // the first ones
  /// A fault after which the rest of a file or array is unreadable.
  std::optional<Fault> lost;
  /// The roles and labels of the layout that some record has.
  std::set<std::string, std::less<>> found;

  void add(const PieceReport& other, std::size_t mostFaults);
};

/// Fails if some responses state which of their tokens count, and others do not: then it is unknown
/// whether all tokens of the others count.
llvm::Error whyNotMarked(const PieceReport& report);

/// The identity of a piece, independent of its path.
struct PieceId {
  std::array<std::uint8_t, 16> digest{};

  auto operator<=>(const PieceId&) const = default;
  std::string hex() const;
};

} // namespace tikc::data
