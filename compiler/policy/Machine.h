#pragma once

#include "checker/plan/Plan.h"
#include "policy/Standing.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tikc::policy {

/// A change of a rule, as a router reports it.
struct Transition {
  enum class What : std::uint8_t { Activated, Stepped, Released };
  std::uint32_t rule = 0; // the index in the plan
  What what = What::Activated;
  std::uint32_t step = 0; // its step after the change

  friend bool operator==(const Transition&, const Transition&) = default;
};

/// The strongest action on traffic until the next tick, and its rule.
struct Traffic {
  const plan::Action* action = nullptr;
  std::uint32_t rule = 0;
};
/// Returns whether the same is done, whichever rule does it.
bool isSame(const Traffic& one, const Traffic& other);

/// Returns whether a clause is judged on a slice: by one of its checks, or on the mixture.
bool applies(const plan::Plan& plan, std::uint32_t clause, std::uint32_t slice);

/// A model of a plan's router on one slice, with all its rules or some. Routers never mix slices,
/// and combine rules only to pick the strongest action. It gives the same results as
/// `runtime/include/tikc/router.h` for the same verdicts. Its memory is in cells, so that a search
/// can keep many. Counters stop at the largest number that a rule asks for, so there are finitely
/// many states.
class Machine {
public:
  using Memory = std::span<std::uint32_t>;
  using Known = std::span<const std::uint32_t>;

  /// The rules must act on the slice, in the plan's order. It does not count satisfied windows of
  /// clauses in `uncounted`.
  Machine(const plan::Plan& plan, std::uint32_t slice, std::vector<std::uint32_t> rules,
          std::vector<std::uint32_t> clauses, const std::vector<std::uint32_t>& uncounted = {});

  const plan::Plan& plan() const { return plan_; }
  std::uint32_t slice() const { return slice_; }
  const std::vector<std::uint32_t>& rules() const { return rules_; }
  const std::vector<std::uint32_t>& clauses() const { return clauses_; }
  /// The number of memory cells. All zeros is the initial state.
  std::size_t cells() const { return cells_; }

  /// Applies a window with these verdicts. Changes are added in the order of rules.
  void tick(Memory memory, std::span<const Standing> now, std::vector<Transition>& changes) const;

  /// Returns the step of a rule, by the rule's place in the machine.
  std::optional<std::uint32_t> step(Known memory, std::size_t place) const;
  Traffic decide(Known memory) const;

private:
  struct Node {
    trigger_kind kind{};
    std::uint32_t windows = 1;
    std::size_t first = 0, count = 0; // of its parts
    std::vector<std::size_t> asked;   // places of clauses
    std::size_t run = 0;              // the cell of a violated or undecided state
  };
  struct RuleNodes {
    std::size_t when = 0;
    std::optional<std::size_t> until;
    std::size_t cell = 0; // 0 at rest, else step + 1; the next cell counts windows in the step
  };

  std::size_t add(const plan::Trigger& trigger);
  void fill(std::size_t at, const plan::Trigger& trigger);
  void giveCells(const std::vector<std::uint32_t>& uncounted);
  void countSatisfied(Memory memory, std::span<const Standing> now) const;
  void countRun(const Node& node, Memory memory, std::span<const Standing> now) const;
  bool isTrue(std::size_t node, Known memory, std::span<const Standing> now) const;
  bool hasHeld(const Node& node, Known memory) const;
  void advance(std::size_t place, Memory memory, std::span<const Standing> now,
               std::vector<Transition>& changes) const;

  const plan::Plan& plan_;
  std::uint32_t slice_;
  std::vector<std::uint32_t> rules_, clauses_;
  std::vector<Node> nodes_;
  std::vector<RuleNodes> machines_;
  std::vector<std::uint32_t> longest_; // by clause: the most satisfied windows that a rule asks for
  std::vector<std::size_t> satisfiedIn_; // by clause: its cell, if it is counted
  std::size_t cells_ = 0;
};

} // namespace tikc::policy
