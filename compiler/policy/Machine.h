#pragma once

#include "plan/Plan.h"
#include "policy/Standing.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tikc::policy {

/// A rule changed, as a router tells of it.
struct Transition {
  enum class What : std::uint8_t { Activated, Stepped, Released };
  std::uint32_t rule = 0; // of the plan
  What what = What::Activated;
  std::uint32_t step = 0; // that it is in now

  friend bool operator==(const Transition&, const Transition&) = default;
};

/// What holds on the slice until the next tick: the strongest action that moves traffic, and whose.
struct Traffic {
  const plan::Action* action = nullptr;
  std::uint32_t rule = 0;
};
/// Whether the same is done, whoever asks for it.
bool isSame(const Traffic& one, const Traffic& other);

/// Whether a clause is judged on a slice: by one of its checks, or on the mixture.
bool applies(const plan::Plan& plan, std::uint32_t clause, std::uint32_t slice);

/// What the router of a plan does on one slice, of all its rules or some: routers mix neither
/// slices nor, but for the strongest action, rules. `runtime/include/tikc/router.h` is what runs,
/// and says the same of the same verdicts; what it remembers is here in cells, so that a search can
/// keep many memories. Counters stop where no rule asks any further, which makes them finitely
/// many.
class Machine {
public:
  using Memory = std::span<std::uint32_t>;
  using Known = std::span<const std::uint32_t>;

  /// Of rules that act on the slice, in the plan's order. Of a clause in `uncounted` it is not
  /// asked for how long it has been satisfied.
  Machine(const plan::Plan& plan, std::uint32_t slice, std::vector<std::uint32_t> rules,
          std::vector<std::uint32_t> clauses, const std::vector<std::uint32_t>& uncounted = {});

  const plan::Plan& plan() const { return plan_; }
  std::uint32_t slice() const { return slice_; }
  const std::vector<std::uint32_t>& rules() const { return rules_; }
  const std::vector<std::uint32_t>& clauses() const { return clauses_; }
  /// How many cells its memory takes; all 0 is the beginning.
  std::size_t cells() const { return cells_; }

  /// One window, in which each of its clauses is so. Changes are added in the order of rules.
  void tick(Memory memory, std::span<const Standing> now, std::vector<Transition>& changes) const;

  /// The step that a rule is in, the rule by its place among the machine's.
  std::optional<std::uint32_t> step(Known memory, std::size_t place) const;
  Traffic decide(Known memory) const;

private:
  struct Node {
    plan::Trigger::Kind kind{};
    std::uint32_t windows = 1;
    std::size_t first = 0, count = 0; // of its parts
    std::vector<std::size_t> asked;   // places of clauses
    std::size_t run = 0;              // the cell of a violated or an undecided one
  };
  struct RuleNodes {
    std::size_t when = 0;
    std::optional<std::size_t> until;
    std::size_t cell = 0; // 0 where it rests, else the step and one; then windows in the step
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
  std::vector<std::uint32_t> longest_;   // by clause: the satisfied windows that are asked for
  std::vector<std::size_t> satisfiedIn_; // by clause: its cell, where there is such a number
  std::size_t cells_ = 0;
};

} // namespace tikc::policy
