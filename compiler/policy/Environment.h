#pragma once

#include "policy/Machine.h"

#include <array>
#include <optional>
#include <string>

namespace tikc::policy {

/// Whether an action leaves the serving kernel no traffic on the slice: a route that keeps no
/// probe, and a rollback, after which another kernel serves. Quarantined rollouts are served and
/// observed, and a hold moves nothing.
bool isStarving(const plan::Action& action);

/// The clauses that some rules ask about on a slice, as few as show all that those can see.
///
/// Of the clauses that no rule names `any` tells only whether one is violated, whether one is
/// undecided, and for how long all have been satisfied. Two of them show all that many can: the
/// first is whatever the group is, and the second is undecided beside one that is violated, else
/// satisfied, so it has never been satisfied for less long than the first. Where some of the group
/// can keep a verdict the first is one that can.
struct Cast {
  struct Group {
    std::uint32_t first = 0;
    std::optional<std::uint32_t> second;
  };
  std::vector<std::uint32_t> clauses;   // all, in the plan's order
  std::vector<std::uint32_t> named;     // those that rules name
  std::vector<Group> groups;            // of the others: by whether they need traffic, if it counts
  std::vector<std::uint32_t> uncounted; // the second ones
};
/// In a closed loop what needs the slice's traffic is another group than what does not.
Cast castOf(const plan::Plan& plan, std::uint32_t slice, const std::vector<std::uint32_t>& rules,
            bool isClosed);

/// Some rules of a plan, on one slice.
struct AskingRules {
  const plan::Plan& plan;
  std::uint32_t slice = 0;
  const std::vector<std::uint32_t>& rules;
};
/// The same of two plans that number the same clauses, in the closed loop of the first: what only
/// one means by `any` is another group than what both do.
Cast castOfBoth(const AskingRules& one, const AskingRules& other);

/// Whether nothing can be known of a clause on a slice that has no traffic.
bool needsTraffic(const plan::Plan& plan, std::uint32_t clause);

/// Whether a clause can keep its verdict over a tick: its window is not the stage's.
bool canKeep(const plan::Plan& plan, std::uint32_t clause);

/// All that tells a slice from another in what its rules do.
std::string kindOf(const plan::Plan& plan, std::uint32_t slice);

/// What can become of clauses from one tick to the next. They are free of one another: whatever
/// observations can bring is among it.
class Environment {
public:
  /// In a closed loop clauses that need the slice's traffic are undecided while it has none because
  /// of actions from the given one up. Nothing: each clause is whatever it is.
  using ClosedFrom = std::optional<plan::Action::Kind>;
  /// The plan and the cast have to last.
  Environment(const plan::Plan& plan, const Cast& cast, ClosedFrom closedFrom);

  using Input = std::vector<Standing>; // by place among the clauses

  const std::vector<std::uint32_t>& clauses() const { return clauses_; }
  bool isStarvedBy(const plan::Action& action) const {
    return closedFrom_ && action.kind >= *closedFrom_ && isStarving(action);
  }
  /// False where there is more than a search can go through: only inputs in which most clauses are
  /// satisfied are there, and what they do not reach is not known to be out of reach.
  bool isWhole() const { return isWhole_; }

  /// The quieter ones first, so that of the shortest sequences one is found in which little
  /// happens.
  const std::vector<Input>& inputs(bool isStarved) const;

  /// What clauses were in the last tick, as far as it matters to those that keep it: a cell each.
  std::size_t cells() const { return keepers_.size(); }
  bool allows(const Input& input, Machine::Known last) const;
  void remember(const Input& input, Machine::Memory last) const;

private:
  /// When a clause may keep its verdict: of several requirements one may have been satisfied
  /// before another was violated, so that such a clause is satisfied again by no new window.
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
  /// A group of each of the rests.
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
  // Made when they are asked for: a search that may go nowhere does not.
  mutable std::array<std::optional<std::vector<Input>>, 2> inputs_;
  mutable bool isWhole_ = true;
};

} // namespace tikc::policy
