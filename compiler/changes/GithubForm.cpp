#include "changes/Formats.h"
#include "diag/report/Annotation.h"

#include <fmt/format.h>

namespace tikc::changes {
namespace {

/// What a version says is no fault.
std::string_view levelOf(const ContractChanges& changes, Effect effect) {
  if (effect == Effect::Looser)
    return changes.version.isEnough() ? "warning" : "error";
  return effect == Effect::Changed ? "warning" : "notice";
}

std::string changeAnnotation(const SourceManager& sources, const ContractChanges& changes,
                             const PartChange& change) {
  std::string move = moveText(change);
  std::string text = subjectText(change) + (move.empty() ? "" : ": ") + move;
  for (const std::string& remark : remarksOf(change))
    text += "\n" + remark;
  const Span& place = change.newPlace.valid() ? change.newPlace : changes.newPlace;
  return diag::annotation(sources, {levelOf(changes, info(change.kind).effect), place,
                                    fmt::format("tikc diff: {}", info(change.kind).word), text});
}

} // namespace

std::string changesGithub(const ComparedContracts& compared) {
  std::string out;
  for (const NotCompared& contract : compared.notCompared)
    out += diag::annotation(compared.sources, {"error", {}, "tikc diff", headingOf(contract)});
  for (const ContractChanges& changes : compared.contracts) {
    if (changes.isUnchanged())
      continue;
    for (const PartChange& change : changes.changes)
      out += changeAnnotation(compared.sources, changes, change);
    std::string text = headingOf(changes);
    if (changes.presence == ContractChanges::Presence::InBoth)
      text += "\n" + versionText(changes.version);
    if (!changes.why.empty())
      text += "\n" + changes.why;
    out += diag::annotation(compared.sources,
                            {changes.version.goesBack ? "error" : levelOf(changes, changes.effect),
                             changes.newPlace, "tikc diff", std::move(text)});
  }
  return out;
}

} // namespace tikc::changes
