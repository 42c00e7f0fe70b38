#include "driver/Against.h"

#include "diag/Sink.h"
#include "support/Utf8.h"

#include <fmt/format.h>

namespace tikc::driver {
namespace {

using changes::ContractChanges;
using changes::Effect;
using changes::PartChange;

/// What is gone is told where the contract begins.
Span placeOfChange(const ContractChanges& changes, const PartChange& change) {
  return change.newPlace.valid() ? change.newPlace : changes.newPlace;
}

void reportLooser(const ContractChanges& comparison, const PartChange& change, diag::Sink& sink) {
  std::string what = changes::subjectText(change), move = changes::moveText(change);
  bool isSure = change.kind != changes::ChangeKind::Unsure;
  auto& diagnostic = sink.report<diag::PartLooser>(
      placeOfChange(comparison, change), what,
      fmt::format("{}{}", isSure ? "is " : "", changes::info(change.kind).word));
  if (!move.empty())
    diagnostic.note(utf8::printable(move));
  for (const std::string& remark : changes::remarksOf(change))
    diagnostic.note(remark);
  if (change.oldPlace.valid())
    diagnostic.relatedTo(change.oldPlace, "the old version is here");
}

/// Where something is left of it there, else where it was.
void reportGone(const ContractChanges& changes, diag::Sink& sink) {
  auto& diagnostic = sink.report<diag::ContractGone>(
      changes.newPlace.valid() ? changes.newPlace : changes.oldPlace, utf8::ticked(changes.name));
  if (!changes.why.empty())
    diagnostic.note(changes.why);
  if (changes.newPlace.valid())
    diagnostic.relatedTo(changes.oldPlace, "the old version is here");
}

void reportVersion(const ContractChanges& comparison, diag::Sink& sink) {
  if (comparison.version.isEnough())
    return;
  std::string how = changes::versionText(comparison.version), name = utf8::ticked(comparison.name);
  const Span& place =
      comparison.versionPlace.valid() ? comparison.versionPlace : comparison.newPlace;
  auto& diagnostic = comparison.version.goesBack
                         ? sink.report<diag::VersionGoesBack>(place, name, comparison.version.after,
                                                              comparison.version.before)
                     : comparison.effect == Effect::Looser
                         ? sink.report<diag::LooserThanVersion>(place, name, how)
                         : sink.report<diag::VersionStepTooSmall>(place, name, how);
  if (comparison.versionPlace.valid())
    diagnostic.unsafeFix(fmt::format("set the version to {}", comparison.version.next),
                         {{comparison.versionPlace, comparison.version.next}});
}

} // namespace

std::vector<diag::Diagnostic> againstFindings(const changes::ComparedContracts& compared,
                                              const Limits& limits) {
  diag::Sink sink(limits);
  for (const ContractChanges& comparison : compared.contracts) {
    if (comparison.presence == ContractChanges::Presence::OnlyOld)
      reportGone(comparison, sink);
    if (comparison.presence != ContractChanges::Presence::InBoth)
      continue;
    for (const PartChange& change : comparison.changes)
      if (changes::info(change.kind).effect == Effect::Looser)
        reportLooser(comparison, change, sink);
    reportVersion(comparison, sink);
  }
  return sink.take();
}

} // namespace tikc::driver
