#include "ide/Since.h"

#include "changes/Compare.h"
#include "changes/Formats.h"
#include "changes/Pairs.h"
#include "ide/Grounds.h"
#include "pipeline/CheckedFiles.h"
#include "support/Escape.h"
#include "support/UsageError.h"
#include "support/Utf8.h"
#include "yaml/NodePath.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::ide {

using changes::ContractChanges;
using changes::PartChange;
using changes::VersionStep;
using changes::VersionVerdict;

namespace {

// A lens is one line, above what somebody reads.
constexpr std::size_t mostTold = 3;

std::vector<ProvenContract> comparedIn(const Analysis& analysis) {
  std::vector<ProvenContract> out;
  for (const ProvenContract& each : provenOf(analysis))
    if (!each.contract->isAbstract)
      out.push_back(each);
  return out;
}

/// Of one file: its place is the same.
std::vector<changes::ContractPlace> namesOf(const std::vector<ProvenContract>& contracts) {
  std::vector<changes::ContractPlace> out;
  out.reserve(contracts.size());
  for (const ProvenContract& each : contracts)
    out.push_back({each.contract->name.value, "", each.contract});
  return out;
}

/// "looser: gap, latency; removed: rows": what asks for the step that is needed.
std::string reasonsOf(const ContractChanges& comparison) {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> groups;
  std::size_t told = 0, left = 0;
  for (const PartChange& change : comparison.changes) {
    const changes::KindInfo& kind = changes::info(change.kind);
    if (kind.step != comparison.version.needed)
      continue;
    if (told == mostTold) {
      ++left;
      continue;
    }
    ++told;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& row) { return row.first == kind.word; });
    if (group == groups.end())
      group = groups.insert(groups.end(), {kind.word, {}});
    group->second.push_back(escape::oneLine(change.name));
  }
  std::vector<std::string> out;
  out.reserve(groups.size());
  for (const auto& [word, names] : groups)
    out.push_back(fmt::format("{}: {}", word, fmt::join(names, ", ")));
  return fmt::format("{}{}", fmt::join(out, "; "), left > 0 ? fmt::format(", {} more", left) : "");
}

/// What the version would have to be, or that it is enough.
std::string needOf(const ContractChanges& comparison) {
  const VersionVerdict& version = comparison.version;
  std::string reasons = reasonsOf(comparison);
  if (version.needed == VersionStep::None && version.isEnough())
    return version.before == version.after ? "unchanged since HEAD"
                                           : "unchanged since HEAD except for the version";
  if (!version.isEnough())
    return fmt::format("{} → needs {}: {}", version.after, version.next,
                       reasons.empty() ? "HEAD has that version" : reasons);
  return fmt::format("{}: {}, {} is enough", reasons, changes::stepWord(version.needed),
                     version.next);
}

} // namespace

std::vector<ContractChanges> changesSince(const Analysis& committed, const Analysis& current) {
  std::vector<ContractChanges> out;
  if (pipeline::isFaulty(committed.checked) || pipeline::isFaulty(current.checked))
    return out;
  std::vector<ProvenContract> old = comparedIn(committed), fresh = comparedIn(current);
  for (const auto& [before, after] : changes::pairContracts(namesOf(old), namesOf(fresh))) {
    if (!before || !after)
      continue;
    const ProvenContract &contract = old[*before], &next = fresh[*after];
    out.push_back(changes::compareContracts({contract.contract, contract.proof},
                                            {next.contract, next.proof}));
    out.back().oldPlace = {};
    for (PartChange& change : out.back().changes)
      change.oldPlace = {};
  }
  return out;
}

std::vector<VersionLens> versionLensesIn(const Analysis& current,
                                         const std::vector<ContractChanges>& since) {
  std::vector<VersionLens> out;
  for (const ContractChanges& changes : since)
    if (changes.versionPlace.valid() && changes.versionPlace.file == current.file)
      out.push_back({changes.versionPlace, changes.name, utf8::printable(needOf(changes))});
  return out;
}

std::string contractAt(const Analysis& current, std::uint32_t offset) {
  auto path = yaml::pathAt(*current.checked.tree, offset);
  if (ProvenContract at = path ? provenOf(current, *path->document) : ProvenContract())
    return at.contract->name.value;
  return current.checked.contracts.size() == 1 ? current.checked.contracts.front().name.value : "";
}

llvm::Expected<std::string> toldSince(const Analysis& committed, const Analysis& current,
                                      std::string_view contract) {
  if (pipeline::isFaulty(current.checked))
    return usageError("the file has errors: fix them before it can be compared");
  if (pipeline::isFaulty(committed.checked))
    return usageError("the file has errors at HEAD, so it cannot be compared");
  for (ContractChanges& comparison : changesSince(committed, current))
    if (comparison.name == contract)
      return changes::changesText({*current.sources, {std::move(comparison)}});
  return usageError("HEAD does not have this contract, or the contract is abstract");
}

} // namespace tikc::ide
