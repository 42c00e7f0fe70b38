#include "driver/ComparedSides.h"

#include "changes/Compare.h"
#include "changes/Pairs.h"
#include "driver/DiffSides.h"
#include "driver/Elsewhere.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace tikc::driver {
namespace {

using changes::ContractChanges;
using changes::Effect;
using Entry = DiffSide::Entry;

std::string nameOf(const Entry& entry) {
  return entry.file->contracts.empty() ? std::string() : entry.contract().name.value;
}

std::vector<changes::ContractPlace> placesOf(const std::vector<Entry>& rows) {
  std::vector<changes::ContractPlace> out;
  out.reserve(rows.size());
  for (const Entry& row : rows)
    out.push_back({nameOf(row), row.place, row.isFaulty ? nullptr : &row.contract(), row.isAside});
  return out;
}

/// One that only one side has. No version says that a contract is gone.
ContractChanges lone(const Entry& entry, bool isOld) {
  ContractChanges out;
  const model::Contract& contract = entry.contract();
  out.name = contract.name.value;
  out.presence = isOld ? ContractChanges::Presence::OnlyOld : ContractChanges::Presence::OnlyNew;
  (isOld ? out.oldPlace : out.newPlace) = contract.name.span;
  (isOld ? out.version.before : out.version.after) =
      contract.version ? contract.version->value : std::string();
  out.effect = isOld ? Effect::Looser : Effect::Tighter;
  if (isOld) {
    out.version.needed = changes::VersionStep::Major;
    out.version.taken = changes::VersionStep::None;
  }
  return out;
}

/// Each path of the new side, and its like on the old one.
llvm::Error readSides(const SidesRequest& request, const DiffOperand& old,
                      const std::vector<DiffOperand>& fresh, DiffSide& oldSide, DiffSide& newSide) {
  if (fresh.size() > 1 && !old.isRevisionAlone())
    return usageError("several new paths require a revision as OLD, such as git:HEAD");
  for (const DiffOperand& each : fresh) {
    const std::string near = !old.path.empty() ? old.path : ".",
                      path = each.path.empty() ? "." : each.path;
    if (auto error = oldSide.add(old, path))
      return error;
    // What a revision has and nobody finds now is gone, and no wrong name.
    auto mayBeGone = old.isRevisionAlone() ? oldSide.has(old, path) : llvm::Expected<bool>(false);
    if (!mayBeGone)
      return mayBeGone.takeError();
    if (auto error = *mayBeGone ? newSide.addIfThere(each, near) : newSide.add(each, near))
      return error;
  }
  if (old.isRevisionAlone()) {
    newSide.addHeirs(request.jobs);
    if (auto error = oldSide.addSame(newSide, old))
      return error;
    if (auto error = oldSide.addFormerHeirs(request.jobs))
      return error;
    if (const auto* top = oldSide.repository())
      for (DiffSide* side : {&oldSide, &newSide})
        side->setTop(*top);
  }
  // What the old side lacks is new.
  auto lacking = oldSide.takeErrors();
  return llvm::joinErrors(std::move(lacking), newSide.takeErrors());
}

/// The name of a revision alone is a path, and mostly one that is not there.
llvm::Expected<DiffOperand> oldOperand(const std::string& word) {
  auto out = diffOperand(word);
  std::error_code error;
  if (!out || out->isOfRevision() || word == "-" || std::filesystem::exists(word, error))
    return out;
  auto tree = project::treeNamed(word, std::filesystem::current_path(error));
  if (tree)
    return usageError(fmt::format("cannot read {}: no such file; did you mean git:{}?",
                                  utf8::tickedPath(word), utf8::printable(word)));
  llvm::consumeError(tree.takeError());
  return out;
}

llvm::Expected<std::vector<DiffOperand>> newOperands(const SidesRequest& request) {
  std::vector<DiffOperand> out;
  for (const std::string& path : request.fresh) {
    auto operand = diffOperand(path);
    if (!operand)
      return operand.takeError();
    out.push_back(std::move(*operand));
  }
  if (out.empty())
    out.push_back({".", {}});
  return out;
}

/// The files of one side whose contracts are compared to nothing.
class FaultyFiles {
public:
  /// Whether there is such a contract and it has errors.
  bool gather(const Entry* entry) {
    if (!entry || !entry->isFaulty)
      return false;
    if (known_.insert(entry->file).second)
      files_.push_back(entry->file);
    return true;
  }

  const std::vector<const pipeline::CheckedFile*>& files() const { return files_; }

private:
  std::set<const pipeline::CheckedFile*> known_;
  std::vector<const pipeline::CheckedFile*> files_;
};

/// What is compared, and what of each side is whose other edition.
struct Pairing {
  std::vector<Entry> old, fresh, bases;
  std::vector<changes::ContractPair> pairs;

  void pair() { pairs = changes::pairContracts(placesOf(old), placesOf(fresh)); }
  /// Some have no partner, or one of another name.
  bool isInDoubt() const {
    return std::any_of(pairs.begin(), pairs.end(), [&](const auto& each) {
      return !each.old || !each.fresh || nameOf(old[*each.old]) != nameOf(fresh[*each.fresh]);
    });
  }
  const Entry* heldOf(const std::vector<Entry>& rows, std::optional<std::size_t> at) const {
    return at ? &rows[*at] : nullptr;
  }
};

void append(std::vector<Entry>& to, std::vector<Entry> more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// What became of one that is gone, where something is left of it.
void describeGone(ContractChanges& gone, const std::vector<Entry>& bases) {
  auto base = std::find_if(bases.begin(), bases.end(), [&](const Entry& each) {
    return each.contract().name.value == gone.name;
  });
  if (base == bases.end())
    return;
  gone.newPlace = base->contract().name.span;
  gone.why = "it is abstract now, so it no longer applies to kernels by itself";
}

void compareAll(const DiffSide& oldSide, const DiffSide& newSide, const Pairing& pairing,
                SidesCompared& out) {
  FaultyFiles oldFaults, newFaults;
  for (const auto& [before, after] : pairing.pairs) {
    const Entry* entry = pairing.heldOf(pairing.old, before);
    const Entry* next = pairing.heldOf(pairing.fresh, after);
    if ((!entry || entry->isAside) && (!next || next->isAside))
      continue;
    // What was at fault and is gone is no loss.
    if (entry && !next && entry->isFaulty)
      continue;
    const bool isOldFaulty = next && oldFaults.gather(entry), isNewFaulty = newFaults.gather(next);
    if (isOldFaulty || isNewFaulty) {
      const Entry& at = next ? *next : *entry;
      out.compared.notCompared.push_back({nameOf(at).empty() ? at.place : nameOf(at),
                                          isOldFaulty && isNewFaulty ? "both contracts have errors"
                                          : isOldFaulty              ? "the old contract has errors"
                                                        : "the new contract has errors"});
      continue;
    }
    out.compared.contracts.push_back(
        entry && next ? changes::compareContracts(entry->edition(), next->edition())
                      : lone(entry ? *entry : *next, entry != nullptr));
    if (!next)
      describeGone(out.compared.contracts.back(), pairing.bases);
  }
  out.oldErrors += oldSide.errorsOf(oldFaults.files());
  out.newErrors += newSide.errorsOf(newFaults.files());
}

std::vector<std::string> namesOfBases(const DiffSide& oldSide, const DiffSide& newSide) {
  std::set<std::string> names;
  for (const DiffSide* side : {&oldSide, &newSide})
    for (const Entry& each : side->bases())
      names.insert(each.contract().name.value);
  return {names.begin(), names.end()};
}

llvm::Expected<SidesCompared> compare(SourceManager& sources, const Limits& limits,
                                      const SidesRequest& request, DiffSide& oldSide,
                                      DiffSide& newSide) {
  for (DiffSide* side : {&oldSide, &newSide}) {
    side->setRoot(request.root);
    if (request.forceExclude)
      side->forceExclude();
  }
  auto old = oldOperand(request.old);
  if (!old)
    return old.takeError();
  auto fresh = newOperands(request);
  if (!fresh)
    return fresh.takeError();
  if (auto error = readSides(request, *old, *fresh, oldSide, newSide))
    return error;
  oldSide.check(request.jobs);
  newSide.check(request.jobs);
  SidesCompared out{{sources, {}, {}}, oldSide.settingsErrors(), newSide.settingsErrors()};
  Pairing pairing{oldSide.contracts(), newSide.contracts(), newSide.bases(), {}};
  pairing.pair();
  Elsewhere elsewhere(sources, limits);
  if (old->isRevisionAlone() && pairing.isInDoubt()) {
    if (auto error = elsewhere.read(request, oldSide, newSide, *old, fresh->front()))
      return error;
    append(pairing.old, elsewhere.oldOnes());
    append(pairing.fresh, elsewhere.newOnes());
    append(pairing.bases, elsewhere.newBases());
    pairing.pair();
  }
  compareAll(oldSide, newSide, pairing, out);
  if (out.compared.contracts.empty() && out.isWhole())
    out.onlyBases = namesOfBases(oldSide, newSide);
  out.hasHeirs = old->isRevisionAlone();
  return out;
}

} // namespace

std::string onlyBasesText(const SidesCompared& sides) {
  if (sides.onlyBases.empty())
    return {};
  std::vector<std::string> names;
  for (const std::string& each : sides.onlyBases)
    names.push_back(utf8::ticked(each));
  return fmt::format("nothing was compared: {} {} abstract, and {}", fmt::join(names, ", "),
                     names.size() == 1 ? "is" : "are",
                     sides.hasHeirs ? "no contract extends the given paths"
                                    : "no contract that extends it was given");
}

llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesRequest& request) {
  DiffSide was(sources, limits), is(sources, limits);
  return compare(sources, limits, request, was, is);
}

llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesRequest& request, CheckedRun fresh) {
  DiffSide was(sources, limits), is(sources, limits, fresh.inputs, std::move(fresh.files));
  return compare(sources, limits, request, was, is);
}

} // namespace tikc::driver
