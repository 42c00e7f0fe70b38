#pragma once

#include "policy/Explorer.h"
#include "policy/Replay.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// What an escalation policy can do, decided by search.
namespace tikc::policy {

/// On which slice something happens, and of what verdicts.
struct Shows {
  std::uint32_t slice = 0;
  Course course;
};

/// { drift: violated*2 satisfied }, as fixtures have it below `verdicts`.
std::string print(const plan::Plan& plan, const Shows& shows);

/// What a rule can do, each with a shortest way to it, or a short one where there are too many.
/// What is not there does not happen, if all is known: else the search was cut off.
struct Prospect {
  bool isKnown = true;
  std::optional<Shows> acts, ends;
  std::vector<std::optional<Shows>> steps; // the first is there where the rule acts
  /// Where it could happen but for a rule that leaves the slice without traffic: that rule.
  std::optional<std::uint32_t> starvedBy;

  bool hasAll(bool wantsEnd) const;
};

/// A rule whose mere consequence is another's: `from` leaves a slice without traffic, `to` starts
/// for lack of data, and what it does takes the place of the route.
struct Consequence {
  std::uint32_t from = 0, to = 0;
  Shows shows;
};

/// Something that a search was cut off before it knew: nothing is claimed of it.
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

/// Traffic flaps if it is moved and no longer, so often in so many windows.
inline constexpr std::uint32_t flaps = 4, flapWindows = 8;

/// No less than so many windows a rule is active, and rests before it is again; of longer ones it
/// is not asked how long.
struct Pace {
  std::uint32_t active = 0, resting = 0;

  /// Twice, soon enough for traffic to flap.
  bool canRepeat() const { return active + resting + active < flapWindows; }
  /// In turn with another, which may begin in the window after this one's end.
  bool canAlternate(const Pace& other) const {
    return active + 1 + other.active < flapWindows || canRepeat() || other.canRepeat();
  }
};

/// Answers questions about one policy, each of them once. A search that would go too far answers as
/// if nothing were at fault, and leaves a doubt.
class Study {
public:
  explicit Study(plan::Plan plan);
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  const plan::Plan& plan() const { return plan_; }

  const Prospect& prospect(std::uint32_t rule);
  /// A way to the first step by which a rule moves traffic.
  const std::optional<Shows>& firstMoveOf(std::uint32_t rule);
  /// The rule because of which this one's traffic is never as it says: it is active whenever this
  /// one is, and stronger.
  std::optional<std::uint32_t> overrulerOf(std::uint32_t rule);
  /// A rule that does all that this one does and is active whenever this one is; where it alerts,
  /// also no other time.
  std::optional<std::uint32_t> coverOf(std::uint32_t rule);
  /// How a rule moves traffic to and fro, `flaps` times in `flapWindows`.
  const std::optional<Shows>& flappingOf(std::uint32_t rule);
  /// The same of two in turn, neither of which does it alone.
  const std::optional<Shows>& flappingOf(std::uint32_t one, std::uint32_t other);
  /// Whether a rule asks for traffic anywhere on the way to what flapping shows.
  bool takesPart(std::uint32_t rule, const Shows& flapping);
  /// How two rules start at once, for what became of one clause, and want traffic elsewhere.
  const std::optional<Shows>& clashOf(std::uint32_t one, std::uint32_t other);
  const std::optional<Consequence>& consequenceOf(std::uint32_t rule);
  /// How a rule that waited for data goes on when all clauses have some, and leaves nothing of what
  /// another does about a violation.
  const std::optional<Shows>& outlastingOf(std::uint32_t waiting, std::uint32_t other);
  /// How a rule starts while every clause is satisfied.
  const std::optional<Shows>& healthyStartOf(std::uint32_t rule);
  /// How a rule with an `until` starts that then goes on for as long as every clause is satisfied.
  const std::optional<Shows>& healthyEndlessOf(std::uint32_t rule);

  /// Of all that was asked.
  const std::vector<Doubt>& doubts() const { return doubts_; }

private:
  using Rules = std::vector<std::uint32_t>;
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  Prospect looked(std::uint32_t rule);
  Prospect look(std::uint32_t rule, std::uint32_t slice);
  /// Of a rule among some, to the end if that may be.
  Prospect searched(const Rules& rules, std::uint32_t rule, std::uint32_t slice,
                    Environment::ClosedFrom closedFrom);
  /// A search of some rules together; where it is cut off, in strides, which may still stop.
  using Visit = llvm::function_ref<Onward(const Explorer&, const Turn&, Machine::Memory own)>;
  Explorer::Ending seek(const Machine& machine, const Environment& environment,
                        std::size_t ownCells, Visit visit);
  /// Adds what one search finds that is not there yet.
  Explorer::Ending search(const Machine& machine, const Environment& environment, Stride stride,
                          std::uint32_t rule, Prospect& out);
  /// Once, on however many slices.
  void leaveOpen(const Doubt& doubt);
  void makePossible(Shows& shows, const Rules& rules);
  /// Takes out what others make impossible.
  void close(Prospect& open, std::uint32_t rule, std::uint32_t slice);
  Rules coneOf(std::uint32_t rule, std::uint32_t slice, plan::Action::Kind from) const;
  /// Whether something is so in each state that two rules can be in together, on all slices of the
  /// first. In doubt it is not.
  bool isAlways(std::uint32_t one, std::uint32_t other, Doubt::Question question,
                llvm::function_ref<bool(const Machine&, Machine::Known)> isSo);
  std::optional<std::uint32_t> overruler(std::uint32_t rule);
  std::optional<std::uint32_t> cover(std::uint32_t rule);
  std::optional<Shows> flapping(const Rules& rules);
  std::optional<Shows> flapping(const Rules& rules, std::uint32_t slice,
                                Environment::ClosedFrom closedFrom);
  const Pace& paceOf(std::uint32_t rule);
  bool isBetween(const Rules& both, const Traffic& now);
  std::optional<Shows> clash(std::uint32_t one, std::uint32_t other);
  std::optional<Consequence> consequence(std::uint32_t rule);
  std::optional<Shows> outlasting(std::uint32_t waiting, std::uint32_t other);
  std::optional<Shows> healthyStart(std::uint32_t rule);
  std::optional<Shows> healthyEndless(std::uint32_t rule);
  std::vector<Shows> startsByOne(std::uint32_t rule);
  /// One of each kind that all of the rules act on, which traffic comes to.
  Rules slicesOf(const Rules& rules) const;
  const Replay& replayOn(std::uint32_t slice);

  plan::Plan plan_;
  /// Of one rule; of one, in strides; of several.
  Allowance alone_, inStrides_, together_;
  std::vector<std::uint32_t> alike_; // by slice: the first that is judged and ruled as it is
  std::map<std::uint32_t, Replay> replays_;
  std::vector<Doubt> doubts_;
  std::set<Doubt> isOpen_; // the same
  // Answers.
  std::map<std::uint32_t, Prospect> prospects_;
  std::map<std::uint32_t, std::optional<std::uint32_t>> overrulers_, covers_;
  std::map<std::uint32_t, Pace> paces_;
  std::map<Rules, std::optional<Shows>> flapping_;
  std::map<Pair, std::optional<Shows>> clashes_, outlasting_;
  std::map<std::uint32_t, std::optional<Consequence>> consequences_;
  std::map<std::uint32_t, std::optional<Shows>> healthyStarts_, healthyEndless_;
};

} // namespace tikc::policy
