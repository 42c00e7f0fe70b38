#include "changes/Formats.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::changes {
namespace {

std::string changeLines(const SourceManager& sources, const PartChange& change, std::size_t width) {
  std::string move = moveText(change),
              places = placesText(sources, change.oldPlace, change.newPlace);
  std::string out = fmt::format("  {:<{}}  {}{}{}", info(change.kind).word, width,
                                subjectText(change), move.empty() ? "" : ": ", move);
  if (!places.empty())
    out += fmt::format("  ({})", places);
  out += '\n';
  for (const std::string& remark : remarksOf(change))
    out += fmt::format("  {:<{}}    {}\n", "", width, remark);
  return out;
}

std::string contractText(const SourceManager& sources, const ContractChanges& changes) {
  std::string out = headingOf(changes) + "\n";
  if (changes.isUnchanged())
    return out;
  if (!changes.why.empty())
    out += fmt::format("  {}\n", changes.why);
  std::size_t width = 0;
  for (const PartChange& change : changes.changes)
    width = std::max(width, info(change.kind).word.size());
  for (const PartChange& change : changes.changes)
    out += changeLines(sources, change, width);
  for (const ClaimOutcomes& row : changes.outcomes)
    out += fmt::format("  claim {}: {}\n", row.claim, outcomeLine(row));
  if (changes.presence == ContractChanges::Presence::InBoth)
    out += fmt::format("  version: {}\n", versionText(changes.version));
  return out;
}

} // namespace

std::string changesText(const ComparedContracts& compared) {
  std::string out;
  for (const NotCompared& each : compared.notCompared)
    out += headingOf(each) + "\n";
  bool isLine = true; // what was told last is one line
  for (const ContractChanges& each : compared.contracts) {
    out += isLine && each.isUnchanged() ? "" : out.empty() ? "" : "\n";
    out += contractText(compared.sources, each);
    isLine = each.isUnchanged();
  }
  return out;
}

} // namespace tikc::changes
