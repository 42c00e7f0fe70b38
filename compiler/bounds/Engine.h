#pragma once

#include "bounds/Problem.h"

#include <map>
#include <memory>

namespace tikc::bounds {

/// The tightest facts at one place.
struct Table {
  Place place;
  std::array<std::optional<FactId>, quantityCount> given, sup, mean;
  /// By the share on which they fail, each tighter than those that fail on less.
  std::array<std::vector<FactId>, quantityCount> quantiles;
  std::array<std::uint32_t, quantityCount> version{}; // counts the changes

  /// The tightest fact that says at least what the key asks; a supremum is a quantile, too.
  std::optional<FactId> find(const Derivation& facts, const Key& key) const;
};

/// Results of lemmas by their arguments: slices that promise the same, and problems of one
/// precision that differ little, share their derivations' work.
class Memory;
std::shared_ptr<Memory> newMemory();

/// Applies every lemma, slice by slice, until nothing gets tighter.
class Engine {
public:
  explicit Engine(Problem& problem, std::shared_ptr<Memory> memory = newMemory());
  ~Engine();

  void run();
  const Table& table(const Place& place) const;
  /// The tightest fact for the key at a place, if any.
  std::optional<FactId> best(const Key& key, const Place& place);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace tikc::bounds
