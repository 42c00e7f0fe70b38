#include "changes/Formats.h"
#include "support/Escape.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::changes {
namespace {

std::string spotIn(const SourceManager& sources, const Span& span) {
  if (!span.valid())
    return {};
  Position at = sources.position(span.file, span.begin);
  return fmt::format("{}:{}:{}", utf8::printable(sources.get(span.file).name), at.line, at.column);
}

std::string fromTo(const std::string& before, const std::string& after) {
  if (before.empty() || after.empty() || before == after)
    return before.empty() ? after : before;
  return fmt::format("{} -> {}", before, after);
}

/// "p99(k3) of 0.05 with max(k3) of 0.15 meets the new one and breaks the old one".
std::string witnessText(const std::vector<WitnessValue>& witness) {
  std::string out;
  for (const WitnessValue& each : witness)
    out += fmt::format("{}{} of {}", out.empty() ? "" : " with ", each.figure, each.value);
  return out + " meets the new one and breaks the old one";
}

} // namespace

std::string headingOf(const ContractChanges& changes) {
  std::string versions = fromTo(changes.version.before, changes.version.after);
  std::string_view what = changes.presence == ContractChanges::Presence::OnlyNew   ? "new"
                          : changes.presence == ContractChanges::Presence::OnlyOld ? "removed"
                                                                                   : "";
  return escape::oneLine(fmt::format("{}{}{}: {}", changes.name, versions.empty() ? "" : " ",
                                     versions, what.empty() ? effectWord(changes.effect) : what));
}

std::string headingOf(const NotCompared& contract) {
  return escape::oneLine(fmt::format("{}: not compared: {}", contract.name, contract.why));
}

std::string moveText(const PartChange& change) {
  bool isTold = change.kind == ChangeKind::Added || change.kind == ChangeKind::Removed ||
                change.kind == ChangeKind::Implied; // that one side lacks it
  std::string move = fromTo(change.before, change.after);
  if (isTold || change.before.empty() == change.after.empty())
    return escape::oneLine(move);
  return escape::oneLine(change.before.empty() ? "(none) -> " + move : move + " -> (none)");
}

std::string subjectText(const PartChange& change) {
  std::string out = fmt::format("{} {}", partWord(change.part), change.name);
  if (!change.formerly.empty())
    out += fmt::format(", formerly {}", change.formerly);
  return escape::oneLine(out);
}

std::vector<std::string> remarksOf(const PartChange& change) {
  std::vector<std::string> out;
  if (!change.why.empty())
    out.push_back(escape::oneLine(change.why));
  if (!change.witness.empty())
    out.push_back(escape::oneLine(witnessText(change.witness)));
  if (change.reuse)
    out.push_back(fmt::format("earlier observations {} it: {}",
                              change.reuse->isEnough ? "decide" : "do not decide",
                              change.reuse->why));
  return out;
}

std::string placesText(const SourceManager& sources, const Span& old, const Span& fresh) {
  return fromTo(spotIn(sources, old), spotIn(sources, fresh));
}

std::string outcomeLine(const ClaimOutcomes& row) {
  std::string out = fmt::format("{} -> {}", row.before.empty() ? "not claimed" : row.before,
                                row.after.empty() ? "not claimed" : row.after);
  return escape::oneLine(row.slices.empty() ? out : fmt::format("{} on {}", out, row.slices));
}

std::string versionText(const VersionVerdict& version) {
  if (version.needed == VersionStep::None && version.goesBack)
    return fmt::format("{} is before {}, the old version", version.after, version.before);
  if (version.needed == VersionStep::None)
    return "no change needs a version step";
  std::string need = fmt::format("this needs a {} step", stepWord(version.needed));
  if (!version.next.empty())
    need += fmt::format(", {} or later", version.next);
  if (!version.taken)
    return need;
  if (version.goesBack)
    return fmt::format("{} is before {}; {}", version.after, version.before, need);
  std::string taken = *version.taken == VersionStep::None
                          ? fmt::format("{} is the old version", version.after)
                          : fmt::format("{} is a {} step", version.after, stepWord(*version.taken));
  return version.isEnough()
             ? fmt::format("{}, and a {} one is needed", taken, stepWord(version.needed))
             : fmt::format("{}; {}", taken, need);
}

} // namespace tikc::changes
