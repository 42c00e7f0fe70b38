#pragma once

#include "bounds/prove/Problem.h"
#include "bounds/prove/Results.h"

#include <memory>

namespace tikc::bounds {

/// The tightest facts of one quantity at one place.
struct Slot {
  std::array<std::optional<FactId>, 3> tightest; // by quantifier, without quantiles
  /// Sorted by the share on which they fail; each is tighter than all before it.
  std::vector<FactId> quantiles;
  std::uint32_t version = 0; // the number of changes

  std::optional<FactId>& operator[](Quantifier quantifier) {
    return tightest[static_cast<std::size_t>(quantifier)];
  }
  const std::optional<FactId>& operator[](Quantifier quantifier) const {
    return tightest[static_cast<std::size_t>(quantifier)];
  }
  const std::optional<FactId>& given() const { return (*this)[Quantifier::Given]; }
  const std::optional<FactId>& sup() const { return (*this)[Quantifier::Sup]; }
  const std::optional<FactId>& mean() const { return (*this)[Quantifier::Mean]; }
};

/// The tightest facts at one place.
struct Table {
  Place place;
  std::array<Slot, quantityCount> slots;
  /// Tables of equal slice and kernels under other laws, by Premise::From; closed before this one.
  std::array<const Table*, 5> others{};

  Slot& operator[](Quantity quantity) { return slots[static_cast<std::size_t>(quantity)]; }
  const Slot& operator[](Quantity quantity) const {
    return slots[static_cast<std::size_t>(quantity)];
  }
  /// Returns the table whose facts may fill a premise; null if there is none.
  const Table* tableFor(Premise::From from) const {
    return from == Premise::From::Here ? this : others[static_cast<std::size_t>(from)];
  }
  /// Returns the tightest fact that implies the key's form; a supremum also serves as a quantile.
  std::optional<FactId> find(const Derivation& facts, const Key& key) const;
};

class Closings;
struct Wish;

/// Closes all places of a problem with all lemmas.
class Engine {
public:
  explicit Engine(Problem& problem, std::shared_ptr<Results> results = std::make_shared<Results>(),
                  Closings* closings = nullptr);
  ~Engine();

  void run();
  const Table& table(const Place& place) const;
  /// Returns the tightest fact for the key at a place.
  std::optional<FactId> best(const Key& key, const Place& place);
  /// Returns what the contract would have to add for any bound on the goal.
  std::vector<Wish> missing(const Goal& goal) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace tikc::bounds
