#include "changes/Windows.h"

#include "model/Meaning.h"
#include "order/Magnitudes.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::changes {

using model::Clause;
using model::Contract;
using model::Expr;

namespace {

enum class LengthMove : std::uint8_t { None, Longer, Shorter, Other };

LengthMove lengthOf(const std::optional<model::Amount>& was,
                    const std::optional<model::Amount>& is) {
  if (order::isSameAmount(was, is))
    return LengthMove::None;
  if (!was || !is || was->dimension() != is->dimension())
    return LengthMove::Other;
  return was->scaled() < is->scaled() ? LengthMove::Longer : LengthMove::Shorter;
}

/// Of a clause with several bounds the one that is no longer what it was.
LengthMove lengthOf(const Clause& was, const Clause& is) {
  if (was.bounds.size() != is.bounds.size())
    return LengthMove::None; // another clause, which is told
  LengthMove out = LengthMove::None;
  for (std::size_t i = 0; i < is.bounds.size(); ++i)
    if (LengthMove one = lengthOf(was.bounds[i].over, is.bounds[i].over); one != LengthMove::None)
      out = out == LengthMove::None || out == one ? one : LengthMove::Other;
  return out;
}

/// What a trigger counts windows of, and what it means that these are others.
class Counted {
public:
  Counted(const Contract& was, const Contract& is, const Renamings& to)
      : was_(was), is_(is), to_(to) {}

  /// `wrong` is what the windows may not be.
  std::string whyNot(const Expr& trigger, LengthMove wrong, std::string_view effect) const {
    if (trigger.kind == Expr::Kind::For)
      return whyNotFor(trigger, wrong, effect);
    for (const Expr& part : trigger.arguments)
      if (std::string why =
              whyNot(part, trigger.kind == Expr::Kind::Not ? LengthMove::Other : wrong, effect);
          !why.empty())
        return why;
    return {};
  }

private:
  std::string whyNotFor(const Expr& trigger, LengthMove wrong, std::string_view effect) const {
    const Expr& state = trigger.arguments[0];
    if (trigger.arguments[1].quantity.scaled() <= 1 || state.arguments.empty())
      return {};
    const std::string& name = state.arguments[0].text;
    for (const Clause& clause : is_.clauses) {
      if (clause.directive || (name != "any" && name != clause.id.text))
        continue;
      LengthMove move = lengthOfClause(clause);
      if (move == LengthMove::None ||
          (wrong != LengthMove::Other && move != LengthMove::Other && move != wrong))
        continue;
      return fmt::format("it counts windows of {}, which are {}: {}", utf8::ticked(clause.id.text),
                         move == LengthMove::Longer    ? "longer"
                         : move == LengthMove::Shorter ? "shorter"
                                                       : "others",
                         move == LengthMove::Other ? "it may react later, or end sooner" : effect);
    }
    return {};
  }

  LengthMove lengthOfClause(const Clause& clause) const {
    for (const Clause& old : was_.clauses) {
      auto known = to_.clauses.find(old.id.text);
      const std::string& now = known == to_.clauses.end() ? old.id.text : known->second;
      if (now == clause.id.text)
        return lengthOf(old, clause);
    }
    return LengthMove::None;
  }

  const Contract& was_;
  const Contract& is_;
  const Renamings& to_;
};

/// The clause of the first state of a trigger that a tighter clause is in less often, where it
/// makes the trigger true, or more often, where it makes it false; for `isMore` the other way
/// round.
std::string hinderedBy(const Expr& trigger, bool isMore, const std::set<std::string>& tightened) {
  if (trigger.kind == Expr::Kind::Call && !trigger.arguments.empty()) {
    const std::string& name = trigger.arguments[0].text;
    const bool isIt = name == "any" ? !tightened.empty() : tightened.contains(name);
    return isIt && trigger.text == (isMore ? "violated" : "satisfied")
               ? name == "any" ? *tightened.begin() : name
               : std::string();
  }
  for (const Expr& part : trigger.arguments)
    if (std::string found =
            hinderedBy(part, isMore != (trigger.kind == Expr::Kind::Not), tightened);
        !found.empty())
      return found;
  return {};
}

} // namespace

std::string whyTighterMatters(const model::Rule& rule, const std::set<std::string>& tightened) {
  std::string late = rule.when ? hinderedBy(*rule.when, false, tightened) : "";
  if (!late.empty())
    return fmt::format("{} is satisfied less often than it was: it may react later",
                       utf8::ticked(late));
  std::string early = rule.until ? hinderedBy(*rule.until, true, tightened) : "";
  return early.empty() ? early
                       : fmt::format("{} is violated more often than it was: it may end sooner",
                                     utf8::ticked(early));
}

std::string whyWindowsMatter(const Contract& was, const Contract& is, const model::Rule& rule,
                             const Renamings& renamings) {
  Counted counted(was, is, renamings);
  std::string out =
      rule.when ? counted.whyNot(*rule.when, LengthMove::Longer, "it reacts later") : "";
  if (out.empty() && rule.until)
    out = counted.whyNot(*rule.until, LengthMove::Shorter, "it ends sooner");
  return out;
}

} // namespace tikc::changes
