#pragma once

#include "policy/Environment.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace tikc::policy {

/// The ticks that searches may still take: one search, and all together. A tick of a machine with
/// many conditions counts more, as it takes longer.
struct Allowance {
  std::size_t each = 0, left = 0;

  static std::size_t priceOf(const Machine& machine);
  void spend(std::size_t ticks) { left -= std::min(left, ticks); }
};

/// A tick of a machine in some state, or the last of several with the same verdicts.
struct Turn {
  std::size_t from = 0;    // the state before
  std::uint32_t times = 1; // ticks since then
  const Environment::Input& input;
  Machine::Known before, after;
  const std::vector<Transition>& changes;
};

/// The stride of a search: one tick, or equal verdicts until a rule changes or nothing changes any
/// more. `Change` passes long windows in one step, and so finishes where `Tick` has too many
/// states. But it does not see all states, and its ways are not the shortest.
enum class Stride : std::uint8_t { Tick, Change };

/// How a search continues after a turn.
enum class Onward : std::uint8_t { Follow, Leave, Stop };

/// Visits all states that a machine can reach, shortest ways first. Memories are finite, so a
/// search that is not cut off has seen everything.
class Explorer {
public:
  enum class Ending : std::uint8_t { Exhausted, Stopped, CutOff };

  /// States may have extra cells for the caller.
  Explorer(const Machine& machine, const Environment& environment, Allowance& allowance,
           std::size_t ownCells = 0, Stride stride = Stride::Tick);
  /// Explores several machines that see the same verdicts. A state has the cells of each, in order.
  /// In a closed loop, the first machine takes the traffic away.
  Explorer(std::vector<const Machine*> machines, const Environment& environment,
           Allowance& allowance, std::size_t ownCells, Stride stride);

  /// Called for each turn with the caller's cells, which it may update for the next state. `Leave`
  /// does not continue from that state.
  using Visit = llvm::function_ref<Onward(const Turn&, Machine::Memory own)>;
  Ending run(Visit visit);

  /// Returns the shortest course to the state of a turn, including the turn.
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
  /// Steps from a state with one input. Returns nothing if the search goes on.
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
  std::vector<Transition> changes_;  // of a turn
  std::vector<std::uint32_t> cells_; // of the states, in sequence
  std::vector<Origin> origins_;
  std::vector<std::size_t> slots_; // a hash table of states by their cells, with 0 as empty
};

} // namespace tikc::policy
