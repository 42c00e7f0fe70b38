#pragma once

#include "policy/Environment.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace tikc::policy {

/// Ticks that searches may still go through: one of them, and all together. One of many conditions
/// counts as often as it takes longer than one of a few rules.
struct Allowance {
  std::size_t each = 0, left = 0;

  static std::size_t priceOf(const Machine& machine);
  void spend(std::size_t ticks) { left -= std::min(left, ticks); }
};

/// One tick of a machine in some state, or the last of some with the same verdicts.
struct Turn {
  std::size_t from = 0;    // the state
  std::uint32_t times = 1; // ticks since then
  const Environment::Input& input;
  Machine::Known before, after;
  const std::vector<Transition>& changes;
};

/// How far a search goes at once: one tick, or with the same verdicts until a rule changes or
/// nothing does. The latter passes long windows in one step each, so it comes to what the former
/// has too many states for; but it sees not all, and its ways are not the shortest.
enum class Stride : std::uint8_t { Tick, Change };

/// What becomes of a search after a turn.
enum class Onward : std::uint8_t { Follow, Leave, Stop };

/// Goes through all that a machine can do, shortest ways first. What it remembers is finite, so a
/// search that nothing cuts off has seen everything.
class Explorer {
public:
  enum class Ending : std::uint8_t { Exhausted, Stopped, CutOff };

  /// States may have cells of who searches.
  Explorer(const Machine& machine, const Environment& environment, Allowance& allowance,
           std::size_t ownCells = 0, Stride stride = Stride::Tick);
  /// Several machines that see the same verdicts: states have the cells of each in their order. In
  /// a closed loop it is the first that takes the traffic away.
  Explorer(std::vector<const Machine*> machines, const Environment& environment,
           Allowance& allowance, std::size_t ownCells, Stride stride);

  /// Is shown each turn, with its own cells as they were, which it may write for the state that
  /// comes of it; `Leave` does not go on from there.
  using Visit = llvm::function_ref<Onward(const Turn&, Machine::Memory own)>;
  Ending run(Visit visit);

  /// The shortest sequence to the state of a turn, and the turn.
  Course courseOf(const Turn& turn) const;

private:
  struct Origin {
    std::size_t from = 0;
    const Environment::Input* input = nullptr;
    std::uint32_t times = 1;
  };
  using Cells = std::vector<std::uint32_t>;

  Machine::Known cellsOf(std::size_t state) const {
    return Machine::Known(cells_).subspan(state * width_, width_);
  }
  bool isStarved(Machine::Known memory) const;
  void tick(const Environment::Input& input);
  /// From a state, whose cells are given, with one input; nothing where the search goes on.
  std::optional<Ending> stride(std::size_t state, const Cells& start,
                               const Environment::Input& input, Visit visit);
  void keep(std::span<const std::uint32_t> cells, const Origin& origin);
  std::size_t& slotOf(std::span<const std::uint32_t> cells);
  void widen();

  std::vector<const Machine*> machines_;
  std::size_t machineCells_ = 0;
  const Environment& environment_;
  Allowance& allowance_;
  Stride stride_;
  std::size_t width_ = 0, price_ = 1, spent_ = 0;
  Cells before_, after_;             // of a turn
  std::vector<Transition> changes_;  // its
  std::vector<std::uint32_t> cells_; // of the states, one after another
  std::vector<Origin> origins_;
  std::vector<std::size_t> slots_; // states by their cells, each plus one
};

} // namespace tikc::policy
