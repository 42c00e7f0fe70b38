#pragma once

#include "policy/Explorer.h"

#include <optional>
#include <vector>

namespace tikc::policy {

/// The result of a tick on a slice.
struct TickState {
  std::vector<Transition> changes;
  Traffic traffic;
  std::vector<std::uint32_t> active; // the active rules, in the plan's order
  std::vector<std::uint32_t> steps;  // their steps
};

/// Returns the rules that act on a slice.
std::vector<std::uint32_t> rulesOn(const plan::Plan& plan, std::uint32_t slice);
/// Returns the clauses that are judged on a slice.
std::vector<std::uint32_t> clausesOn(const plan::Plan& plan, std::uint32_t slice);

/// Replays all rules of a slice on a course of verdicts.
class Replay {
public:
  Replay(const plan::Plan& plan, std::uint32_t slice);
  /// Uses all these clauses, not just representatives.
  Replay(const plan::Plan& plan, std::uint32_t slice, std::vector<std::uint32_t> clauses);

  /// Replays a course tick by tick.
  std::vector<TickState> run(const Course& course) const;
  /// Returns the rule that leaves the slice without traffic when a clause that needs traffic is not
  /// undecided. Such a course is impossible.
  std::optional<std::uint32_t> impossibleFor(const Course& course) const;
  /// Returns the course made possible: clauses that need traffic are undecided while there is none,
  /// and for `more` further ticks.
  Course possible(const Course& course, std::size_t more) const;

  /// Returns the cost of a tick in units of an allowance.
  std::size_t price() const { return Allowance::priceOf(machine_); }

private:
  /// Whether a clause, by its place, cannot have this standing while the slice has no traffic.
  bool isImpossible(std::size_t place, const Standing& standing) const;
  std::vector<Standing> inputAt(const Course& course, std::size_t tick) const;
  TickState stateOf(Machine::Known memory, std::vector<Transition> changes) const;

  Machine machine_;
  std::vector<bool> needsTraffic_; // by place
  bool canStarve_ = false;
};

} // namespace tikc::policy
