#pragma once

#include "policy/Explorer.h"
#include "policy/Replay.h"

#include <map>
#include <optional>
#include <string>
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

/// What a rule can do, each with a shortest way to it. What is not there does not happen, if all is
/// known: else the search was cut off.
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

/// A rule flaps if its traffic is moved and no longer, so often in so many windows.
inline constexpr std::uint32_t flaps = 4, flapWindows = 8;

/// Answers questions about one policy. A search that would go too far answers as if nothing were at
/// fault.
class Study {
public:
  explicit Study(const plan::Plan& plan);

  const Prospect& prospect(std::uint32_t rule);
  /// The rule because of which this one's traffic is never as it says: it is active whenever this
  /// one is, and stronger.
  std::optional<std::uint32_t> overrulerOf(std::uint32_t rule);
  /// A rule that does all that this one does and is active whenever this one is; where it alerts,
  /// also no other time.
  std::optional<std::uint32_t> coverOf(std::uint32_t rule);
  /// How a rule moves traffic to and fro, `flaps` times in `flapWindows`.
  std::optional<Shows> flappingOf(std::uint32_t rule);
  /// How two rules start at once, for what became of one clause, and want traffic elsewhere.
  std::optional<Shows> clashOf(std::uint32_t one, std::uint32_t other);
  std::optional<Consequence> consequenceOf(std::uint32_t rule);

private:
  Prospect look(std::uint32_t rule, std::uint32_t slice);
  Prospect searched(const std::vector<std::uint32_t>& rules, std::uint32_t rule,
                    std::uint32_t slice, Environment::ClosedFrom closedFrom);
  /// Takes out what others make impossible.
  void close(Prospect& open, std::uint32_t rule, std::uint32_t slice);
  std::vector<std::uint32_t> coneOf(std::uint32_t rule, std::uint32_t slice,
                                    plan::Action::Kind from) const;
  /// Whether something is so in each state that two rules can be in together, on all slices of the
  /// first.
  bool isAlways(std::uint32_t one, std::uint32_t other,
                llvm::function_ref<bool(const Machine&, Machine::Known)> isSo);
  /// One of each kind that the rule acts on, which traffic comes to.
  std::vector<std::uint32_t> slicesOf(std::uint32_t rule) const;
  const Replay& replayOn(std::uint32_t slice);

  const plan::Plan& plan_;
  Allowance allowance_;
  std::vector<std::uint32_t> alike_; // by slice: the first that is judged and ruled as it is
  std::map<std::uint32_t, Prospect> prospects_;
  std::map<std::uint32_t, Replay> replays_;
};

} // namespace tikc::policy
