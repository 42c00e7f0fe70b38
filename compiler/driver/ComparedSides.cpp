#include "driver/ComparedSides.h"

#include "changes/Compare.h"
#include "changes/Pairs.h"
#include "driver/DiffSides.h"
#include "support/UsageError.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::driver {
namespace {

using changes::ContractChanges;
using changes::Effect;
using Held = DiffSide::Held;

std::string nameOf(const Held& held) {
  return held.file->contracts.empty() ? std::string() : held.contract().name.value;
}

std::vector<changes::ContractPlace> placesOf(const std::vector<Held>& rows) {
  std::vector<changes::ContractPlace> out;
  out.reserve(rows.size());
  for (const Held& row : rows)
    out.push_back({nameOf(row), row.place});
  return out;
}

/// One that only one side has.
ContractChanges lone(const Held& held, bool isOld) {
  ContractChanges out;
  const model::Contract& contract = held.contract();
  out.name = contract.name.value;
  out.presence = isOld ? ContractChanges::Presence::OnlyOld : ContractChanges::Presence::OnlyNew;
  (isOld ? out.was : out.is) = contract.name.span;
  (isOld ? out.version.before : out.version.after) =
      contract.version ? contract.version->value : std::string();
  out.effect = isOld ? Effect::Looser : Effect::Tighter;
  return out;
}

/// Each path of the new side, and its like on the old one.
llvm::Error readSides(const SidesAsked& asked, DiffSide& was, DiffSide& is) {
  auto old = diffOperand(asked.old);
  if (!old)
    return old.takeError();
  std::vector<std::string> paths = asked.fresh;
  if (paths.empty())
    paths.emplace_back(".");
  if (paths.size() > 1 && !(old->isOfRevision() && old->path.empty()))
    return usageError("several new paths are compared with a revision: write git:REV for OLD");
  bool isOneRevision = old->isOfRevision() && old->path.empty();
  for (const std::string& path : paths) {
    auto fresh = diffOperand(path);
    if (!fresh)
      return fresh.takeError();
    std::string near = !old->path.empty() ? old->path : ".";
    if (auto error = is.add(*fresh, near))
      return error;
    if (!isOneRevision && !(&path == &paths.front()))
      continue;
    if (auto error = was.add(*old, fresh->path.empty() ? "." : fresh->path))
      return error;
  }
  if (isOneRevision) {
    is.addHeirs(asked.jobs);
    if (auto error = was.addSame(is, *old))
      return error;
  }
  // What the old side lacks is new.
  auto lacking = was.takeErrors();
  return llvm::joinErrors(std::move(lacking), is.takeErrors());
}

/// A side with errors is compared with nothing; whether one has.
bool gatherErrors(const DiffSide& side, const Held* held, std::string_view which,
                  std::string& out) {
  if (!held || !held->isFaulty)
    return false;
  out += fmt::format("{}the {} contract has errors, so that it is not compared\n",
                     side.errorsOf(*held->file), which);
  return true;
}

llvm::Expected<SidesCompared> compare(SourceManager& sources, const SidesAsked& asked,
                                      DiffSide& was, DiffSide& is) {
  for (DiffSide* side : {&was, &is}) {
    side->setRoot(asked.root);
    if (asked.forceExclude)
      side->forceExclude();
  }
  if (auto error = readSides(asked, was, is))
    return error;
  was.check(asked.jobs);
  is.check(asked.jobs);
  SidesCompared out{{sources, {}}, was.settingsErrors(), is.settingsErrors()};
  std::vector<Held> old = was.contracts(), fresh = is.contracts();
  for (const auto& [before, after] : changes::pairContracts(placesOf(old), placesOf(fresh))) {
    const Held* held = before ? &old[*before] : nullptr;
    const Held* next = after ? &fresh[*after] : nullptr;
    // What was at fault and is gone is no loss.
    if (held && !next && held->isFaulty)
      continue;
    bool isOldFaulty = next && gatherErrors(was, held, "old", out.oldErrors);
    if (gatherErrors(is, next, "new", out.newErrors) || isOldFaulty)
      continue;
    out.compared.contracts.push_back(
        held && next ? changes::compareContracts(held->edition(), next->edition())
                     : lone(held ? *held : *next, held != nullptr));
  }
  return out;
}

} // namespace

llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesAsked& asked) {
  DiffSide was(sources, limits), is(sources, limits);
  return compare(sources, asked, was, is);
}

llvm::Expected<SidesCompared> compareSides(SourceManager& sources, const Limits& limits,
                                           const SidesAsked& asked, CheckedRun fresh) {
  DiffSide was(sources, limits), is(sources, limits, fresh.inputs, std::move(fresh.files));
  return compare(sources, asked, was, is);
}

} // namespace tikc::driver
