#pragma once

#include "policy/Machine.h"

#include <array>
#include <optional>
#include <string>

namespace tikc::policy {

/// Returns whether an action leaves the serving kernel no traffic on the slice: a route without a
/// probe, or a rollback, after which another kernel serves. Quarantined rollouts are still served
/// and observed, and a hold moves nothing.
bool isStarving(const plan::Action& action);

/// The clauses that some rules can see on a slice, reduced to representatives.
///
/// Of clauses that no rule names, `any` shows only whether one is violated, whether one is
/// undecided, and how long all have been satisfied. Two clauses can represent a whole group. The
/// first has the group's state. The second is undecided if the group also has an undecided clause
/// next to a violated one, else satisfied, so its satisfied run is never shorter than the first's.
/// If a clause of the group can keep a verdict, the first one can.
struct Cast {
  struct Group {
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second;
  };
  std::vector<std::uint32_t> clauses;   // all, in the plan's order
  std::vector<std::uint32_t> named;     // those that rules name
  std::vector<Group> groups;            // of the others: by whether they need traffic, if it counts
  std::vector<std::uint32_t> uncounted; // the second of each group
};
/// Returns the cast of some rules. In a closed loop, clauses that need the slice's traffic form
/// their own group.
Cast castOf(const plan::Plan& plan, std::uint32_t slice, const std::vector<std::uint32_t>& rules,
            bool isClosed);

/// Some rules of a plan on one slice.
struct AskingRules {
  const plan::Plan& plan;
  std::uint32_t slice = 0;
  const std::vector<std::uint32_t>& rules;
};
/// Returns the cast for two plans that number the same clauses, in the closed loop of the first.
/// Clauses that only one plan includes in `any` form their own group.
Cast castOfBoth(const AskingRules& one, const AskingRules& other);

/// Returns whether a clause is undecided on a slice without traffic.
bool needsTraffic(const plan::Plan& plan, std::uint32_t clause);

/// Returns whether a clause can keep its verdict over a tick, because its window is not the
/// stage's.
bool canKeep(const plan::Plan& plan, std::uint32_t clause);

/// Returns a text that is equal for slices on which the rules behave alike.
std::string kindOf(const plan::Plan& plan, std::uint32_t slice);

/// The verdicts that clauses can have from one tick to the next. Clauses are independent, so every
/// possible sequence of observations is covered.
class Environment {
public:
  /// The weakest action kind of a closed loop. While such actions leave the slice without traffic,
  /// clauses that need it are undecided. Nothing: an open loop, where each clause can have any
  /// verdict.
  using ClosedFrom = std::optional<action_kind>;
  /// The plan and the cast must outlive the environment.
  Environment(const plan::Plan& plan, const Cast& cast, ClosedFrom closedFrom);

  using Input = std::vector<Standing>; // by place among the clauses

  const std::vector<std::uint32_t>& clauses() const { return clauses_; }
  bool isStarvedBy(const plan::Action& action) const {
    return closedFrom_ && action.kind >= *closedFrom_ && isStarving(action);
  }
  /// Returns false if there are too many inputs to search. Then only inputs with mostly satisfied
  /// clauses are included, and states that they do not reach may still be reachable.
  bool isWhole() const { return isWhole_; }

  /// The inputs, quiet ones first, so that among the shortest sequences one with few events is
  /// found.
  const std::vector<Input>& inputs(bool isStarved) const;

  /// The number of cells for the last tick's verdicts, one for each clause that can keep its
  /// verdict.
  std::size_t cells() const { return keepers_.size(); }
  bool allows(const Input& input, Machine::Known last) const;
  void remember(const Input& input, Machine::Memory last) const;

private:
  /// When a clause may keep its verdict. `Always`: with several requirements, one may have been
  /// satisfied before another was violated, so the clause can become satisfied without a new
  /// window.
  enum class Persistence : std::uint8_t { Never, OfTheSame, Always };
  struct Keeper {
    std::size_t clause = 0; // its place
    Persistence how = Persistence::OfTheSame;
  };
  using Letters = std::vector<Input>; // of one clause, or of the two of a group

  friend Cast castOf(const plan::Plan& plan, std::uint32_t slice,
                     const std::vector<std::uint32_t>& rules, bool isClosed);
  friend Cast castOfBoth(const AskingRules& one, const AskingRules& other);
  static Persistence persistenceOf(const plan::Plan& plan, std::uint32_t clause);
  static Cast::Group groupOf(const plan::Plan& plan, const std::vector<std::uint32_t>& rest);
  /// Makes a cast with a group for each of the rests.
  static Cast castOf(const plan::Plan& plan, std::vector<std::uint32_t> named,
                     const std::vector<std::vector<std::uint32_t>>& rests);
  std::size_t placeOf(std::uint32_t clause) const;
  std::vector<Input> makeInputs(bool isStarved) const;
  void multiply(std::vector<Input>& inputs, const Letters& letters,
                const std::vector<std::uint32_t>& clauses) const;
  static Letters lettersOf(const plan::Plan& plan, std::uint32_t clause, bool isForced);
  static Letters lettersOf(const plan::Plan& plan, const Cast::Group& group, bool isForced);

  const plan::Plan& plan_;
  const Cast& cast_;
  std::vector<std::uint32_t> clauses_;
  std::vector<Keeper> keepers_;
  ClosedFrom closedFrom_;
  // Made on first use: a search may not need them.
  mutable std::array<std::optional<std::vector<Input>>, 2> inputs_;
  mutable bool isWhole_ = true;
};

} // namespace tikc::policy
