#pragma once

#include "checker/engine/LoadedTally.h"
#include "measure/Bytes.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

/// Sums by response. Tokens of a response are not independent observations, so intervals about
/// future responses need sums over responses.
namespace tikc::measure {

/// Sums over responses that have a sum S over n observations each: of the products, and of the
/// means S/n.
struct UnitSums {
  std::uint64_t units = 0;
  std::uint64_t numberless = 0; // with an observation that is NaN
  double total = 0, squares = 0, sizes = 0, sizeSquares = 0, cross = 0; // S, S², n, n², S·n
  double means = 0, meanSquares = 0;
  double longest = 0; // the largest n

  void add(double sum, double size, bool isNumber);
  void merge(const UnitSums& other);
  void write(ByteWriter& to) const;
  /// Fails the reader on values that no data yield.
  static UnitSums read(ByteReader& from);
};

/// Sums by keeper of a plan and slice; the mixture comes after the slices. Has only keepers and
/// slices with data.
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

/// Reads the contribution of one response off tallies. Each row is a unit of one observation.
class UnitKeeping {
public:
  UnitKeeping(const engine::LoadedPlan& plan, std::size_t stream);

  /// Call before a tally observes a part of the unit on a slice, and `after` afterwards.
  void before(const engine::LoadedTally& tally, std::size_t slice, source from);
  void after(const engine::LoadedTally& tally, std::size_t slice, source from);
  /// Call when the whole unit was observed.
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
  std::vector<Reading> before_; // of the keepers that the part concerns
  std::vector<std::pair<UnitTable::Key, Reading>> unit_;
  UnitTable table_;
  std::vector<UnitSums*> found_; // in the table, by keeper and slice, as it is slow to search
};

} // namespace tikc::measure
