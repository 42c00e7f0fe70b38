#pragma once

#include "policy/Explorer.h"
#include "policy/Replay.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Decides what an escalation policy can do, by search.
namespace tikc::policy {

/// A slice and a course of verdicts on which something happens.
struct Occurrence {
  std::uint32_t slice = 0;
  Course course;
};

/// Formats the course as below `verdicts` of fixtures: { drift: violated*2 satisfied }
std::string print(const plan::Plan& plan, const Occurrence& shows);

/// What a rule can do, with a shortest way to each event, or a short one if there are too many
/// states. If `isKnown`, other events cannot happen; otherwise the search was cut off.
struct Prospect {
  bool isKnown = true;
  std::optional<Occurrence> acts, ends;
  std::vector<std::optional<Occurrence>> steps; // the first is set if the rule can act
  /// The rule that makes it impossible by leaving the slice without traffic.
  std::optional<std::uint32_t> starvedBy;

  bool hasAll(bool wantsEnd) const;
};

/// A rule that only reacts to another: `from` leaves a slice without traffic, `to` starts for lack
/// of data, and its action replaces the route.
struct Consequence {
  std::uint32_t from = 0, to = 0;
  Occurrence shows;
};

/// A question that a search could not decide before it was cut off. Nothing is claimed about it.
struct Doubt {
  enum class Question : std::uint8_t {
    Acts,
    Steps,
    Ends,
    Overruled,
    Covered,
    Flaps,
    Clashes,
    Outlasts
  };
  Question question{};
  std::uint32_t rule = 0;
  std::optional<std::uint32_t> other;

  friend auto operator<=>(const Doubt&, const Doubt&) = default;
};

/// The definition of flapping: traffic is moved and released so often within so many windows.
inline constexpr std::uint32_t flaps = 4, flapWindows = 8;

/// The least number of windows that a rule is active, and that it rests before it is active again.
/// Longer phases are not measured.
struct Pace {
  std::uint32_t active = 0, resting = 0;

  /// Returns whether it can repeat soon enough for traffic to flap.
  bool canRepeat() const { return active + resting + active < flapWindows; }
  /// Returns whether it can alternate with another rule, which may begin in the next window.
  bool canAlternate(const Pace& other) const {
    return active + 1 + other.active < flapWindows || canRepeat() || other.canRepeat();
  }
};

/// Answers questions about one policy, and caches the answers. If a search would take too long, it
/// answers that nothing is wrong, and records a doubt.
class Study {
public:
  explicit Study(plan::Plan plan);
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  const plan::Plan& plan() const { return plan_; }

  const Prospect& prospect(std::uint32_t rule);
  /// Returns a way to the first step in which a rule moves traffic.
  const std::optional<Occurrence>& firstMoveOf(std::uint32_t rule);
  /// Returns a stronger rule that is active whenever this one is, so that this one never affects
  /// traffic.
  std::optional<std::uint32_t> overrulerOf(std::uint32_t rule);
  /// Returns a rule that does everything that this one does and is active whenever this one is. For
  /// alerts, the two are active at the same times.
  std::optional<std::uint32_t> coverOf(std::uint32_t rule);
  /// Returns how a rule moves traffic to and fro, `flaps` times in `flapWindows`.
  const std::optional<Occurrence>& flappingOf(std::uint32_t rule);
  /// Returns how two rules do so in turn, if neither does it alone.
  const std::optional<Occurrence>& flappingOf(std::uint32_t one, std::uint32_t other);
  /// Returns whether a rule acts on traffic during the flapping.
  bool takesPart(std::uint32_t rule, const Occurrence& flapping);
  /// Returns how two rules start at once because of one clause, and want traffic elsewhere.
  const std::optional<Occurrence>& clashOf(std::uint32_t one, std::uint32_t other);
  const std::optional<Consequence>& consequenceOf(std::uint32_t rule);
  /// Returns how a rule that waited for data continues although all clauses have data, and
  /// suppresses all that another rule does about a violation.
  const std::optional<Occurrence>& outlastingOf(std::uint32_t waiting, std::uint32_t other);
  /// Returns how a rule starts while every clause is satisfied.
  const std::optional<Occurrence>& healthyStartOf(std::uint32_t rule);
  /// Returns how a rule with an `until` starts and then stays active while every clause is
  /// satisfied.
  const std::optional<Occurrence>& healthyEndlessOf(std::uint32_t rule);

  /// The doubts of all questions so far.
  const std::vector<Doubt>& doubts() const { return doubts_; }

private:
  using Rules = std::vector<std::uint32_t>;
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  Prospect looked(std::uint32_t rule);
  Prospect look(std::uint32_t rule, std::uint32_t slice);
  /// Searches for a rule among some, completely if possible.
  Prospect searched(const Rules& rules, std::uint32_t rule, std::uint32_t slice,
                    Environment::ClosedFrom closedFrom);
  /// Searches some rules together. If the search is cut off, repeats it in strides.
  using Visit = llvm::function_ref<Onward(const Explorer&, const Turn&, Machine::Memory own)>;
  Explorer::Ending seek(const Machine& machine, const Environment& environment,
                        std::size_t ownCells, Visit visit);
  /// Adds the new results of one search.
  Explorer::Ending search(const Machine& machine, const Environment& environment, Stride stride,
                          std::uint32_t rule, Prospect& out);
  /// Records a doubt once, whatever the number of slices.
  void leaveOpen(const Doubt& doubt);
  void makePossible(Occurrence& shows, const Rules& rules);
  /// Removes events that other rules make impossible.
  void close(Prospect& open, std::uint32_t rule, std::uint32_t slice);
  Rules coneOf(std::uint32_t rule, std::uint32_t slice, action_kind from) const;
  /// Returns whether a property holds in every state that two rules can share, on all slices of the
  /// first. Returns false if in doubt.
  bool isAlways(std::uint32_t one, std::uint32_t other, Doubt::Question question,
                llvm::function_ref<bool(const Machine&, Machine::Known)> isSo);
  std::optional<std::uint32_t> overruler(std::uint32_t rule);
  std::optional<std::uint32_t> cover(std::uint32_t rule);
  std::optional<Occurrence> flapping(const Rules& rules);
  std::optional<Occurrence> flapping(const Rules& rules, std::uint32_t slice,
                                     Environment::ClosedFrom closedFrom);
  const Pace& paceOf(std::uint32_t rule);
  bool isBetween(const Rules& both, const Traffic& now);
  std::optional<Occurrence> clash(std::uint32_t one, std::uint32_t other);
  std::optional<Consequence> consequence(std::uint32_t rule);
  std::optional<Occurrence> outlasting(std::uint32_t waiting, std::uint32_t other);
  std::optional<Occurrence> healthyStart(std::uint32_t rule);
  std::optional<Occurrence> healthyEndless(std::uint32_t rule);
  std::vector<Occurrence> startsByOne(std::uint32_t rule);
  /// Returns one slice of each kind with traffic on which all of the rules act.
  Rules slicesOf(const Rules& rules) const;
  const Replay& replayOn(std::uint32_t slice);

  plan::Plan plan_;
  /// For one rule; for one rule in strides; for several rules.
  Allowance alone_, inStrides_, together_;
  std::vector<std::uint32_t> alike_; // by slice: the first slice that is judged and ruled alike
  std::map<std::uint32_t, Replay> replays_;
  std::vector<Doubt> doubts_;
  std::set<Doubt> isOpen_; // the same doubts, as a set
  // Cached answers.
  std::map<std::uint32_t, Prospect> prospects_;
  std::map<std::uint32_t, std::optional<std::uint32_t>> overrulers_, covers_;
  std::map<std::uint32_t, Pace> paces_;
  std::map<Rules, std::optional<Occurrence>> flapping_;
  std::map<Pair, std::optional<Occurrence>> clashes_, outlasting_;
  std::map<std::uint32_t, std::optional<Consequence>> consequences_;
  std::map<std::uint32_t, std::optional<Occurrence>> healthyStarts_, healthyEndless_;
};

} // namespace tikc::policy
