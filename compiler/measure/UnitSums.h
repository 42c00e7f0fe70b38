#pragma once

#include "engine/LoadedTally.h"
#include "measure/Bytes.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

/// What is kept by response: tokens of one response are no independent observations, so who speaks
/// of the responses that will be served needs sums over these, not over tokens.
namespace tikc::measure {

/// Of responses with a sum S over n observations each: sums of the products, and of the means S/n.
struct UnitSums {
  std::uint64_t units = 0;
  std::uint64_t numberless = 0; // of these, where an observation was no number
  double total = 0, squares = 0, sizes = 0, sizeSquares = 0, cross = 0; // S, S², n, n², S·n
  double means = 0, meanSquares = 0;
  double longest = 0; // the largest n

  void add(double sum, double size, bool isNumber);
  void merge(const UnitSums& other);
  void write(ByteWriter& to) const;
  /// What no data leave behind makes the reader bad.
  static UnitSums read(ByteReader& from);
};

/// By keeper of a plan and slice; behind the slices stands the mixture. Only what came is there.
class UnitTable {
public:
  using Key = std::pair<std::size_t, std::size_t>;
  const UnitSums* find(std::size_t keeper, std::size_t slice) const;
  UnitSums& at(std::size_t keeper, std::size_t slice) { return cells_[{keeper, slice}]; }
  void merge(const UnitTable& other);
  bool isEmpty() const { return cells_.empty(); }

  void write(ByteWriter& to) const;
  static UnitTable read(ByteReader& from);

private:
  std::map<Key, UnitSums> cells_;
};

/// Reads off tallies what one response added to them. Rows, each of which comes alone, are units of
/// one observation.
class UnitKeeping {
public:
  UnitKeeping(const engine::LoadedPlan& plan, std::size_t stream);

  /// Around everything that a tally is shown of a unit on a slice.
  void before(const engine::LoadedTally& tally, std::size_t slice, source from);
  void after(const engine::LoadedTally& tally, std::size_t slice, source from);
  /// All of the unit was shown.
  void finish();

  const UnitTable& table() const { return table_; }

private:
  struct Reading {
    double sum = 0;
    std::uint64_t size = 0, unknown = 0;
  };
  Reading readingOf(std::size_t keeper, const engine::LoadedTally& tally, std::size_t slice) const;
  const std::vector<std::size_t>& keepersOf(source from) const {
    return bySource_[static_cast<std::size_t>(from)];
  }

  const engine::LoadedPlan& plan_;
  std::vector<std::vector<std::size_t>> bySource_;
  std::vector<Reading> before_; // of the keepers of what is shown
  std::vector<std::pair<UnitTable::Key, Reading>> unit_;
  UnitTable table_;
};

} // namespace tikc::measure
