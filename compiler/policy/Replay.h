#pragma once

#include "policy/Explorer.h"

#include <optional>
#include <vector>

namespace tikc::policy {

/// What a tick made of a slice.
struct Replayed {
  std::vector<Transition> changes;
  Traffic traffic;
  std::vector<std::uint32_t> active; // rules that are, in the plan's order
  std::vector<std::uint32_t> steps;  // that they are in
};

/// The rules that act on a slice.
std::vector<std::uint32_t> rulesOn(const plan::Plan& plan, std::uint32_t slice);
/// The clauses that are judged on it.
std::vector<std::uint32_t> clausesOn(const plan::Plan& plan, std::uint32_t slice);

/// All rules of a slice on one course of verdicts.
class Replay {
public:
  Replay(const plan::Plan& plan, std::uint32_t slice);
  /// Of all these clauses, and not only of those that show what the others can.
  Replay(const plan::Plan& plan, std::uint32_t slice, std::vector<std::uint32_t> clauses);

  /// Tick by tick.
  std::vector<Replayed> run(const Course& course) const;
  /// The rule that has left the slice without traffic when first a clause that needs it is not
  /// undecided: such a course cannot be.
  std::optional<std::uint32_t> impossibleFor(const Course& course) const;
  /// The same course as it can be: what needs traffic, and is asked for, is undecided while there
  /// is none, from there on for so many ticks more.
  Course possible(const Course& course, std::size_t more) const;

  /// Ticks of an allowance that one of its own takes as long as.
  std::size_t price() const { return Allowance::priceOf(machine_); }

private:
  /// Of a clause by its place, while the slice has no traffic.
  bool isImpossible(std::size_t place, const Standing& standing) const;
  std::vector<Standing> inputAt(const Course& course, std::size_t tick) const;
  Replayed stateOf(Machine::Known memory, std::vector<Transition> changes) const;

  Machine machine_;
  std::vector<bool> needsTraffic_; // by place
  bool canStarve_ = false;
};

} // namespace tikc::policy
