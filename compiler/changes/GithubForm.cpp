#include "changes/Formats.h"
#include "report/Annotation.h"

#include <fmt/format.h>

namespace tikc::changes {
namespace {

/// What a version says is no fault.
std::string_view levelOf(const ContractChanges& of, Effect effect) {
  if (effect == Effect::Looser)
    return of.version.isEnough() ? "warning" : "error";
  return effect == Effect::Changed ? "warning" : "notice";
}

std::string changeAnnotation(const SourceManager& sources, const ContractChanges& of,
                             const PartChange& change) {
  std::string move = moveText(change);
  std::string text = subjectText(change) + (move.empty() ? "" : ": ") + move;
  for (const std::string& remark : remarksOf(change))
    text += "\n" + remark;
  const Span& place = change.is.valid() ? change.is : of.is;
  return report::annotation(sources, {levelOf(of, info(change.kind).effect), place,
                                      fmt::format("tikc diff: {}", info(change.kind).word), text});
}

} // namespace

std::string changesGithub(const ComparedContracts& compared) {
  std::string out;
  for (const NotCompared& of : compared.notCompared)
    out += report::annotation(compared.sources, {"error", {}, "tikc diff", headingOf(of)});
  for (const ContractChanges& of : compared.contracts) {
    if (of.isUnchanged())
      continue;
    for (const PartChange& change : of.changes)
      out += changeAnnotation(compared.sources, of, change);
    std::string text = headingOf(of);
    if (of.presence == ContractChanges::Presence::InBoth)
      text += "\n" + versionText(of.version);
    if (!of.why.empty())
      text += "\n" + of.why;
    out += report::annotation(compared.sources,
                              {of.version.goesBack ? "error" : levelOf(of, of.effect), of.is,
                               "tikc diff", std::move(text)});
  }
  return out;
}

} // namespace tikc::changes
