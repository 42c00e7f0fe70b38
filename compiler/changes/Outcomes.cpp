#include "changes/Outcomes.h"

#include "bounds/prove/WhatIf.h"
#include "explain/Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tikc::changes {

using bounds::Verdict;

namespace {

/// What became of a claim on one slice.
struct Outcome {
  Verdict verdict = Verdict::Unproved;
  std::optional<Rational> slack;
  bool isLower = false;
};

/// By claim and slice; a claim of several comparisons has its worst.
using OutcomeTable = std::map<std::pair<std::string, std::string>, Outcome>;

bool isWorse(const Outcome& a, const Outcome& b) {
  bool isProved = a.verdict == Verdict::Proved, isOtherProved = b.verdict == Verdict::Proved;
  if (isProved != isOtherProved)
    return !isProved;
  return a.slack && b.slack && *a.slack < *b.slack;
}

/// Slices by the names that they have in the new edition.
OutcomeTable outcomesOf(const Edition& edition, const SliceNames& renamed = {}) {
  OutcomeTable out;
  for (const auto& entry : edition.proof->entries) {
    const bounds::Decision& decision = entry.decision;
    const auto& slices = edition.proof->problems[entry.problem].slices;
    std::string slice = slices.size() > 1 ? slices[decision.goal.place.slice].name : "";
    if (auto known = renamed.find(slice); known != renamed.end())
      slice = known->second;
    Outcome outcome{decision.verdict, decision.slack(edition.proof->factsOf(entry)),
                    decision.goal.lower};
    const std::string& claim = edition.contract->claims[decision.goal.claim].id.text;
    auto [known, isFresh] = out.emplace(std::pair(claim, slice), outcome);
    if (!isFresh && isWorse(outcome, known->second))
      known->second = outcome;
  }
  return out;
}

std::string outcomeText(const Outcome& outcome) {
  std::string out(bounds::verdictName(outcome.verdict));
  std::string slack = explain::slackText(outcome.slack, outcome.isLower);
  return slack.empty() ? out : fmt::format("{}, {}", out, slack);
}

/// Told together where slices agree.
void addOutcome(std::vector<ClaimOutcomes>& to, ClaimOutcomes row) {
  for (ClaimOutcomes& known : to)
    if (known.claim == row.claim && known.before == row.before && known.after == row.after) {
      known.slices += (known.slices.empty() ? "" : ", ") + row.slices;
      return;
    }
  to.push_back(std::move(row));
}

/// A contract of one slice says of it what one of many says of each.
void spread(OutcomeTable& whole, const OutcomeTable& byName) {
  for (const auto& [key, unused] : byName) {
    auto known = whole.find({key.first, ""});
    if (!key.second.empty() && known != whole.end())
      whole.emplace(key, known->second);
  }
  for (const auto& [key, unused] : byName)
    if (!key.second.empty())
      whole.erase({key.first, ""});
}

/// Slices that share requests are told of together: a part of one that was split had what the whole
/// had, and one that others were merged into the worst of theirs.
class Inheritance {
public:
  Inheritance(const Edition& old, const Edition& fresh, const SliceNames& renamed,
              const Overlap& overlap)
      : overlap_(overlap) {
    for (std::size_t i = 0; i < overlap.oldCount(); ++i) {
      auto known = renamed.find(std::string(sliceName(*old.contract, i)));
      old_.push_back(known == renamed.end() ? std::string(sliceName(*old.contract, i))
                                            : known->second);
    }
    for (std::size_t j = 0; j < overlap.newCount(); ++j)
      new_.emplace_back(sliceName(*fresh.contract, j));
  }

  void handDown(OutcomeTable& before, const OutcomeTable& after) const {
    const OutcomeTable known = before;
    for (const auto& [key, unused] : after)
      if (auto heir = placeOf(new_, key.second); heir && !known.contains(key))
        if (auto worst = worstOfOrigins(known, key.first, *heir))
          before.emplace(key, *worst);
    for (const auto& [key, unused] : known)
      if (auto gone = placeOf(old_, key.second); gone && isTold(after, key.first, *gone))
        before.erase(key);
  }

private:
  static std::optional<std::size_t> placeOf(const std::vector<std::string>& names,
                                            const std::string& name) {
    auto match = std::find(names.begin(), names.end(), name);
    return match == names.end() ? std::nullopt : std::optional(match - names.begin());
  }

  std::optional<Outcome> worstOfOrigins(const OutcomeTable& before, const std::string& claim,
                                        std::size_t heir) const {
    std::optional<Outcome> worst;
    for (std::size_t i = 0; i < old_.size(); ++i) {
      if (overlap_.meet(i, heir) == Decided::No)
        continue;
      auto known = before.find({claim, old_[i]});
      if (known == before.end())
        return std::nullopt;
      if (!worst || isWorse(known->second, *worst))
        worst = known->second;
    }
    return worst;
  }

  /// Whether all that has its requests now, under other names, says what became of the claim.
  bool isTold(const OutcomeTable& after, const std::string& claim, std::size_t gone) const {
    if (placeOf(new_, old_[gone]))
      return false;
    for (std::size_t j = 0; j < new_.size(); ++j)
      if (overlap_.meet(gone, j) != Decided::No && !after.contains({claim, new_[j]}))
        return false;
    return true;
  }

  const Overlap& overlap_;
  std::vector<std::string> old_, new_; // the old ones by the names that they have now
};

/// Whether a contract could still say it: a claim or a slice that is gone is a change of its own.
bool couldBeSaid(const model::Contract& contract, const std::pair<std::string, std::string>& key) {
  auto isNamed = [](const auto& parts, std::string_view name, auto nameOf) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const auto& each) { return nameOf(each) == name; });
  };
  const bool isClaimed =
      isNamed(contract.claims, key.first, [](const auto& each) { return each.id.text; });
  const bool isSlice =
      key.second.empty() || key.second == "*" || key.second == "other" ||
      isNamed(contract.slices, key.second, [](const auto& each) { return each.name.text; });
  return isClaimed && isSlice;
}

ClaimOutcomes outcomeRow(const std::pair<std::string, std::string>& key, const Outcome* old,
                         const Outcome* fresh, const model::Contract& now) {
  ClaimOutcomes out;
  out.claim = key.first;
  out.slices = key.second == "*" ? "the mixture" : key.second;
  out.before = old ? outcomeText(*old) : "";
  out.after = fresh ? outcomeText(*fresh) : "";
  bool wasProved = old && old->verdict == Verdict::Proved;
  bool isProved = fresh && fresh->verdict == Verdict::Proved;
  out.isLost = wasProved && !isProved && (fresh || couldBeSaid(now, key));
  out.isGained = isProved && !wasProved;
  out.isNearer = wasProved && isProved && isWorse(*fresh, *old);
  return out;
}

} // namespace

namespace {

/// What is decided of claims that were there.
std::vector<const bounds::Proof::Entry*> entriesKept(const Edition& old, const Edition& fresh) {
  std::set<std::string_view> kept;
  for (const model::Claim& claim : old.contract->claims)
    kept.insert(claim.id.text);
  std::vector<const bounds::Proof::Entry*> out;
  for (const auto& entry : fresh.proof->entries)
    if (kept.contains(fresh.contract->claims[entry.decision.goal.claim].id.text))
      out.push_back(&entry);
  return out;
}

} // namespace

std::set<std::string, std::less<>> groundsKept(const Edition& old, const Edition& fresh) {
  std::set<std::string, std::less<>> out;
  for (const auto* entry : entriesKept(old, fresh)) {
    if (!entry->decision.fact)
      continue;
    const auto& facts = fresh.proof->factsOf(*entry);
    for (bounds::FactId input : bounds::inputsOf(facts, *entry->decision.fact))
      if (const auto& origin = facts[input].origin)
        out.insert(origin->name);
  }
  return out;
}

bool claimsOfAllKept(const Edition& old, const Edition& fresh) {
  std::vector<const bounds::Proof::Entry*> kept = entriesKept(old, fresh);
  return std::any_of(kept.begin(), kept.end(), [&](const auto* entry) {
    const auto& problem = fresh.proof->problems[entry->problem];
    const auto& slices = problem.slices;
    return slices.size() > 1 && slices[entry->decision.goal.place.slice].isMixture;
  });
}

std::vector<ClaimOutcomes> claimOutcomes(const Edition& old, const Edition& fresh,
                                         const SliceNames& renamed, const Overlap& overlap) {
  std::vector<ClaimOutcomes> out;
  if (!old.proof || !fresh.proof)
    return out;
  OutcomeTable before = outcomesOf(old, renamed), after = outcomesOf(fresh);
  spread(before, after);
  spread(after, before);
  Inheritance(old, fresh, renamed, overlap).handDown(before, after);
  auto find = [](const OutcomeTable& table, const auto& key) {
    auto known = table.find(key);
    return known == table.end() ? nullptr : &known->second;
  };
  for (const auto& [key, outcome] : before)
    addOutcome(out, outcomeRow(key, &outcome, find(after, key), *fresh.contract));
  for (const auto& [key, outcome] : after)
    if (!before.contains(key))
      addOutcome(out, outcomeRow(key, nullptr, &outcome, *fresh.contract));
  std::erase_if(out, [](const ClaimOutcomes& row) { return row.before == row.after; });
  return out;
}

} // namespace tikc::changes
