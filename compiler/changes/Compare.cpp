#include "changes/Compare.h"

#include "changes/FactChanges.h"
#include "changes/Flattening.h"
#include "changes/NormalForm.h"
#include "changes/Outcomes.h"
#include "changes/ReactionChanges.h"
#include "changes/SliceChanges.h"
#include "changes/Versions.h"

#include <algorithm>

namespace tikc::changes {

using model::Contract;

namespace {

void add(std::vector<PartChange>& to, std::vector<PartChange> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

std::string ownersOf(const Contract& contract) {
  std::string out;
  for (const model::Text& owner : contract.owners)
    out += (out.empty() ? "" : ", ") + owner.value;
  return out;
}

/// Of the contract itself: its name, whether it is a draft, what it is for.
std::vector<PartChange> ownChanges(const Contract& old, const Contract& fresh) {
  std::vector<PartChange> out;
  auto say = [&](ChangeKind kind, std::string name, std::string before, std::string after) {
    if (before != after)
      out.push_back({ChangedPart::Contract,
                     kind,
                     std::move(name),
                     {},
                     std::move(before),
                     std::move(after),
                     old.name.span,
                     fresh.name.span});
  };
  auto text = [](const std::optional<model::Text>& of) { return of ? of->value : ""; };
  auto flag = [](bool isSet) { return std::string(isSet ? "true" : "false"); };
  say(ChangeKind::Renamed, "contract", old.name.value, fresh.name.value);
  say(fresh.draft ? ChangeKind::Unsure : ChangeKind::Tighter, "draft", flag(old.draft.has_value()),
      flag(fresh.draft.has_value()));
  say(ChangeKind::Described, "abstract", flag(old.isAbstract), flag(fresh.isAbstract));
  say(ChangeKind::Reworded, "summary", text(old.summary), text(fresh.summary));
  say(ChangeKind::Reworded, "owners", ownersOf(old), ownersOf(fresh));
  return out;
}

std::map<std::string, std::string> renamedKernels(const std::vector<PartChange>& changes) {
  std::map<std::string, std::string> out;
  for (const PartChange& each : changes)
    if (each.part == ChangedPart::Kernel && each.kind == ChangeKind::Renamed)
      out.emplace(each.formerly, each.name);
  return out;
}

/// Clauses and rules may stand in another order; all else that is printed is compared above, or is
/// a change that nobody told.
Facts orderlessFacts(const Contract& contract) {
  Facts out = factsOf(contract);
  for (std::string_view own : namesOfContract)
    out.erase(std::string(own));
  return out;
}

PartChange untoldChange(const Contract& old, const Contract& fresh) {
  PartChange out{ChangedPart::Contract, ChangeKind::Changed, "meaning"};
  out.oldPlace = old.name.span;
  out.newPlace = fresh.name.span;
  out.why = "the meaning also changed in a way that is not listed above";
  return out;
}

std::vector<PartChange> changesOf(const Contract& old, const Contract& fresh,
                                  const Overlap& overlap) {
  std::vector<PartChange> facts = factChanges(old, fresh);
  Editions editions{old, fresh, overlap, haveOtherMeaning(facts)};
  std::vector<PartChange> out = clauseChanges(editions), slices = sliceChanges(editions),
                          directives = directiveChanges(old, fresh);
  Renamings renamings{renamedClauses(out), renamedSlices(slices), renamedKernels(facts), {}};
  renamings.clauses.merge(renamedClauses(directives));
  for (const PartChange& each : out)
    if (each.part == ChangedPart::Clause &&
        (info(each.kind).effect == Effect::Looser || each.kind == ChangeKind::Replaced))
      renamings.heardOf.insert(each.name);
  add(out, claimChanges(editions));
  add(out, std::move(slices));
  add(out, std::move(directives));
  add(out, ruleChanges(old, fresh, overlap, renamings));
  add(out, stageChanges(old, fresh));
  add(out, std::move(facts));
  add(out, ownChanges(old, fresh));
  bool isSilent = std::all_of(out.begin(), out.end(), [](const PartChange& each) {
    return each.kind == ChangeKind::Reworded;
  });
  NormalForms forms = normalForms(old, fresh, overlap);
  if (isSilent && orderlessFacts(forms.old) != orderlessFacts(forms.fresh))
    out.push_back(untoldChange(old, fresh));
  std::stable_sort(out.begin(), out.end(),
                   [](const PartChange& a, const PartChange& b) { return a.part < b.part; });
  return out;
}

/// Claims of all requests rest on the shares of slices.
bool isShare(std::string_view key) { return key == "weight" || key == "token_weight"; }

/// Whether a change assumes something that was not, and what it is called where proofs name it.
std::optional<std::string_view> assumedKey(const PartChange& change) {
  const std::string_view name = change.name;
  if (change.part == ChangedPart::Slice) {
    std::string_view key = name.substr(name.rfind('.') + 1);
    bool isOther = change.kind == ChangeKind::Changed && isShare(key);
    return isOther || change.kind == ChangeKind::AssumesMore ? std::optional(key) : std::nullopt;
  }
  std::string_view key = name.substr(0, name.find('.'));
  bool isOfLaws = key == "support" || key == "staleness"; // of what claims are about, too
  return change.kind == ChangeKind::AssumesMore && !isOfLaws ? std::optional(key) : std::nullopt;
}

/// What is assumed beyond what was, for claims that are new, takes nothing from those that were
/// there.
void relieve(std::vector<PartChange>& changes, const Edition& old, const Edition& fresh) {
  if (!fresh.proof)
    return;
  std::set<std::string, std::less<>> grounds = groundsKept(old, fresh);
  const bool restOnShares = claimsOfAllKept(old, fresh);
  for (PartChange& change : changes) {
    auto key = assumedKey(change);
    if (!key || (isShare(*key) ? restOnShares : grounds.contains(*key)))
      continue;
    change.kind = ChangeKind::Described;
    change.why = "no earlier claim relies on it";
  }
}

} // namespace

ContractChanges compareContracts(const Edition& old, const Edition& fresh) {
  ContractChanges out;
  out.name = fresh.contract->name.value;
  out.oldPlace = old.contract->name.span;
  out.newPlace = fresh.contract->name.span;
  out.versionPlace = fresh.contract->version ? fresh.contract->version->span : Span{};
  const Overlap overlap(*old.contract, *fresh.contract);
  out.changes = changesOf(*old.contract, *fresh.contract, overlap);
  relieve(out.changes, old, fresh);
  out.outcomes = claimOutcomes(old, fresh, renamedSlices(out.changes), overlap);
  for (const ClaimOutcomes& row : out.outcomes)
    if (row.isLost)
      out.effect = Effect::Looser;
  out.effect = std::max(out.effect, effectOf(out.changes));
  VersionStep needed = stepOf(out.changes);
  if (out.effect == Effect::Looser)
    needed = VersionStep::Major;
  out.version = versionVerdict(*old.contract, *fresh.contract, needed);
  return out;
}

} // namespace tikc::changes
