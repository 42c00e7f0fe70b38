#include "ide/Grounds.h"

#include "explain/Words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::ide {

using bounds::Derivation;
using bounds::Fact;
using bounds::FactId;
using bounds::Proof;
using bounds::Verdict;

namespace {

bool isClause(const Fact& fact) {
  return fact.origin && fact.origin->kind == bounds::Origin::Kind::Clause;
}

/// Less is worse.
int rankOf(Verdict verdict) {
  return verdict == Verdict::Refuted ? 0 : verdict == Verdict::Unproved ? 1 : 2;
}

bool isWorse(const ClaimOutcome& a, const ClaimOutcome& b) {
  if (a.verdict != b.verdict)
    return rankOf(a.verdict) < rankOf(b.verdict);
  if (!a.slack || !b.slack)
    return !a.slack && b.slack;
  return *a.slack < *b.slack;
}

bool isUpper(const Fact& fact) {
  return bounds::info(fact.key.quantity).side == bounds::QuantityInfo::Side::Upper;
}

/// What holds whatever the kernels do.
bool isVoid(const Derivation& facts, const Fact& fact) {
  if (bounds::hasCap(fact.key.quantity))
    return fact.bound >= bounds::mostOf(fact.key.quantity);
  if (fact.key.quantity != bounds::Quantity::RewardDrift)
    return false;
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (const Fact& range = facts[static_cast<FactId>(i)];
        range.key.quantity == bounds::Quantity::RewardRange)
      return fact.bound >= range.bound;
  return false;
}

} // namespace

std::vector<ProvenContract> provenOf(const Analysis& analysis) {
  std::vector<ProvenContract> out;
  for (std::size_t i = 0; i < analysis.checked.contracts.size(); ++i) {
    const auto& proof = analysis.checked.proofs[i];
    out.push_back({&analysis.checked.contracts[i], proof ? &*proof : nullptr});
  }
  return out;
}

ProvenContract provenOf(const Analysis& analysis, const yaml::YamlDocument& document) {
  for (const ProvenContract& proven : provenOf(analysis))
    if (proven.contract->span == document.root->span)
      return proven;
  return {};
}

std::optional<ClaimOutcome> outcomeOf(const ProvenContract& proven, std::size_t claim,
                                      std::optional<std::size_t> bound) {
  std::optional<ClaimOutcome> out;
  if (!proven.proof)
    return out;
  for (const Proof::Entry& entry : proven.proof->entries) {
    const bounds::Goal& goal = entry.decision.goal;
    if (goal.claim != claim || (bound && goal.bound != *bound))
      continue;
    ClaimOutcome each{entry.decision.verdict, entry.decision.slack(proven.proof->factsOf(entry)),
                      goal.lower, &entry};
    if (!out || isWorse(each, *out))
      out = each;
  }
  return out;
}

std::string outcomeText(const ClaimOutcome& outcome) {
  std::string verdict(bounds::verdictName(outcome.verdict));
  std::string slack = explain::slackText(outcome.slack, outcome.isLower);
  return outcome.verdict == Verdict::Proved && !slack.empty() ? verdict + ", " + slack : verdict;
}

Grounds::Grounds(const Proof& proof) {
  for (const Proof::Entry& entry : proof.entries)
    if (entry.decision.fact)
      walk(proof.factsOf(entry), *entry.decision.fact, entry.decision.goal.claim);
  supports_.clear();
}

const Grounds::Use* Grounds::at(const Span& span) const {
  auto match = uses_.find(span);
  return match == uses_.end() ? nullptr : &match->second;
}

Grounds::Support Grounds::supportOf(const Derivation& facts, FactId id) {
  const Fact& fact = facts[id];
  if (auto known = supports_.find(&fact); known != supports_.end())
    return known->second;
  Support out;
  if (isClause(fact))
    out.clause = fact.origin->span;
  for (FactId premise : fact.premises) {
    Support below = supportOf(facts, premise);
    bool isOther = out.clause.valid() && below.clause.valid() && out.clause != below.clause;
    out.isMixed |= below.isMixed || isOther;
    if (below.clause.valid())
      out.clause = below.clause;
  }
  return supports_[&fact] = out;
}

void Grounds::walk(const Derivation& facts, FactId goal, std::size_t claim) {
  std::set<FactId> seen;
  std::vector<FactId> open = {goal};
  auto follow = [&](FactId id) {
    if (seen.insert(id).second)
      open.push_back(id);
  };
  auto isSole = [&](FactId id) {
    Support support = supportOf(facts, id);
    return !support.isMixed && support.clause.valid();
  };
  if (isSole(goal))
    addAlone(supportOf(facts, goal).clause, facts[goal]);
  while (!open.empty()) {
    const Fact& fact = facts[open.back()];
    FactId id = open.back();
    open.pop_back();
    if (fact.origin && fact.origin->span.valid())
      uses_[fact.origin->span].claims.insert(claim);
    bool isMixed = supportOf(facts, id).isMixed;
    for (FactId premise : fact.premises) {
      if (isMixed && isSole(premise))
        addAlone(supportOf(facts, premise).clause, facts[premise]);
      follow(premise);
    }
    for (FactId condition : fact.under)
      follow(condition);
  }
}

void Grounds::addAlone(const Span& span, const Fact& fact) {
  auto& alone = uses_[span].alone;
  auto same = std::find_if(alone.begin(), alone.end(),
                           [&](const Fact* known) { return known->key == fact.key; });
  if (same == alone.end())
    alone.push_back(&fact);
  else if (bounds::isTighter(**same, fact))
    *same = &fact;
}

std::vector<const Fact*> strongestOn(const Derivation& facts, const Span& span,
                                     const bounds::Place& place,
                                     std::span<const bounds::Quantity> wanted) {
  std::vector<bool> rests(facts.size(), false);
  std::vector<const Fact*> out;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Fact& fact = facts[static_cast<FactId>(i)];
    auto isGrounded = [&](FactId id) { return rests[static_cast<std::size_t>(id)]; };
    rests[i] = (fact.origin && fact.origin->span == span) ||
               std::any_of(fact.premises.begin(), fact.premises.end(), isGrounded);
    if (!rests[i] || fact.origin || isVoid(facts, fact) || !(fact.place == place) ||
        std::find(wanted.begin(), wanted.end(), fact.key.quantity) == wanted.end())
      continue;
    auto same = std::find_if(out.begin(), out.end(),
                             [&](const Fact* known) { return known->key == fact.key; });
    if (same == out.end())
      out.push_back(&fact);
    else if (bounds::isTighter(fact, **same))
      *same = &fact;
  }
  return out;
}

std::string factText(const Fact& fact) {
  std::string_view sign = isUpper(fact) ? (fact.strict ? "<" : "<=") : (fact.strict ? ">" : ">=");
  return fmt::format("{} {} {}", explain::keyText(fact.key), sign,
                     explain::boundNumber(fact.bound, !isUpper(fact)));
}

} // namespace tikc::ide
