#include "lint/Reactions.h"

#include <algorithm>
#include <map>

namespace tikc::lint {

using model::Expr;

namespace {

constexpr std::string_view anyClause = "any";

/// More clauses in one condition than all of whose fates are gone through.
constexpr std::size_t mostClauses = 6;

Fate wantedBy(const Expr& state) {
  return state.text == "violated"    ? Fate::Violated
         : state.text == "undecided" ? Fate::Undecided
                                     : Fate::Satisfied;
}

bool isState(const Expr& condition) {
  return condition.kind == Expr::Kind::Call && !condition.arguments.empty();
}

/// What each clause is. `any` has one, for all that are not named, and asks about those, too, that
/// are of it.
struct KnownFate {
  Fate fate = Fate::Satisfied;
  bool isOfAny = true;
};
using Fates = std::map<std::string_view, KnownFate>;

void gatherNamed(const Expr& condition, Fates& out) {
  if (isState(condition))
    out.try_emplace(condition.arguments[0].text);
  else
    for (const Expr& part : condition.arguments)
      gatherNamed(part, out);
}

bool isMet(const Expr& condition, const Fates& fates) {
  const auto& parts = condition.arguments;
  auto isTrue = [&](const Expr& part) { return isMet(part, fates); };
  switch (condition.kind) {
  case Expr::Kind::And:
    return std::all_of(parts.begin(), parts.end(), isTrue);
  case Expr::Kind::Or:
    return std::any_of(parts.begin(), parts.end(), isTrue);
  case Expr::Kind::Not:
    return !isTrue(parts[0]);
  case Expr::Kind::For:
    return isTrue(parts[0]);
  default:
    break;
  }
  if (!isState(condition))
    return false;
  const Fate wanted = wantedBy(condition);
  if (parts[0].text != anyClause)
    return fates.at(parts[0].text).fate == wanted;
  const bool isOfAll = wanted == Fate::Satisfied;
  auto decides = [&](const auto& each) {
    return each.second.isOfAny && (each.second.fate == wanted) != isOfAll;
  };
  return std::any_of(fates.begin(), fates.end(), decides) != isOfAll;
}

/// The next of all combinations of what the others are; whether there was one.
bool advance(Fates& fates, std::string_view fixed) {
  for (auto& [clause, fated] : fates) {
    if (clause == fixed)
      continue;
    Fate& fate = fated.fate;
    fate = fate == Fate::Satisfied  ? Fate::Violated
           : fate == Fate::Violated ? Fate::Undecided
                                    : Fate::Satisfied;
    if (fate != Fate::Satisfied)
      return true;
  }
  return false;
}

/// Whether a condition can be so, or not so, in a window of a slice that has no data.
bool canBe(const Expr& condition, bool isSo, const std::set<std::string_view>& measured) {
  const auto& parts = condition.arguments;
  auto can = [&](const Expr& part) { return canBe(part, isSo, measured); };
  switch (condition.kind) {
  case Expr::Kind::And:
  case Expr::Kind::Or:
    return (condition.kind == Expr::Kind::And) == isSo
               ? std::all_of(parts.begin(), parts.end(), can)
               : std::any_of(parts.begin(), parts.end(), can);
  case Expr::Kind::Not:
    return canBe(parts[0], !isSo, measured);
  case Expr::Kind::For: // which takes a while
    return !isSo || can(parts[0]);
  default:
    break;
  }
  if (!isState(condition))
    return true;
  const std::string& clause = parts[0].text;
  bool hasData = clause == anyClause ? !measured.empty() : measured.contains(clause);
  return hasData || (wantedBy(condition) == Fate::Undecided) == isSo;
}

/// `fates` are of all clauses that the condition names, each satisfied.
bool isCause(const Expr& condition, Fates fates, std::string_view clause, Fate fate) {
  if (fates.size() > mostClauses)
    return true;
  for (fates[clause].fate = fate;;) {
    if (isMet(condition, fates)) {
      Fates otherwise = fates;
      otherwise[clause].fate = Fate::Satisfied;
      if (!isMet(condition, otherwise))
        return true;
    }
    if (!advance(fates, clause))
      return false;
  }
}

} // namespace

std::set<std::string_view> causesOf(const Expr& condition, const model::Contract& contract,
                                    Fate fate) {
  Fates named; // with `any` for all that are not named, as one
  gatherNamed(condition, named);
  for (const model::Clause& clause : contract.clauses)
    if (auto match = named.find(clause.id.text); match != named.end())
      match->second.isOfAny = !clause.directive; // what is about the record is not
  const bool areOthersCauses =
      named.contains(anyClause) && isCause(condition, named, anyClause, fate);
  std::set<std::string_view> out;
  if (areOthersCauses)
    out.insert(anyClause);
  for (const model::Clause& clause : contract.clauses) {
    const std::string_view id = clause.id.text;
    if (named.contains(id) ? isCause(condition, named, id, fate)
                           : !clause.directive && areOthersCauses)
      out.insert(id);
  }
  return out;
}

bool canHoldWithoutData(const Expr& condition, const std::set<std::string_view>& measured) {
  return canBe(condition, true, measured);
}

} // namespace tikc::lint
