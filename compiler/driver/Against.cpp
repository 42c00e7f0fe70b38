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
Span placeOfChange(const ContractChanges& of, const PartChange& change) {
  return change.is.valid() ? change.is : of.is;
}

void reportLooser(const ContractChanges& of, const PartChange& change, diag::Sink& sink) {
  std::string what = changes::subjectText(change), move = changes::moveText(change);
  bool isSure = change.kind != changes::ChangeKind::Unsure;
  auto& found = sink.report<diag::PartLooser>(
      placeOfChange(of, change), what,
      fmt::format("{}{}", isSure ? "is " : "", changes::info(change.kind).word));
  if (!move.empty())
    found.note(utf8::printable(move));
  for (const std::string& remark : changes::remarksOf(change))
    found.note(remark);
  if (change.was.valid())
    found.relatedTo(change.was, "previous version");
}

/// Where something is left of it there, else where it was.
void reportGone(const ContractChanges& of, diag::Sink& sink) {
  auto& found =
      sink.report<diag::ContractGone>(of.is.valid() ? of.is : of.was, utf8::ticked(of.name));
  if (!of.why.empty())
    found.note(of.why);
  if (of.is.valid())
    found.relatedTo(of.was, "previous version");
}

void reportVersion(const ContractChanges& of, diag::Sink& sink) {
  if (of.version.isEnough())
    return;
  std::string how = changes::versionText(of.version), name = utf8::ticked(of.name);
  const Span& place = of.versionPlace.valid() ? of.versionPlace : of.is;
  auto& found =
      of.version.goesBack
          ? sink.report<diag::VersionGoesBack>(place, name, of.version.after, of.version.before)
      : of.effect == Effect::Looser ? sink.report<diag::LooserThanVersion>(place, name, how)
                                    : sink.report<diag::VersionStepTooSmall>(place, name, how);
  if (of.versionPlace.valid())
    found.unsafeFix(fmt::format("set the version to {}", of.version.next),
                    {{of.versionPlace, of.version.next}});
}

} // namespace

std::vector<diag::Diagnostic> againstFindings(const changes::ComparedContracts& compared,
                                              const Limits& limits) {
  diag::Sink sink(limits);
  for (const ContractChanges& of : compared.contracts) {
    if (of.presence == ContractChanges::Presence::OnlyOld)
      reportGone(of, sink);
    if (of.presence != ContractChanges::Presence::InBoth)
      continue;
    for (const PartChange& change : of.changes)
      if (changes::info(change.kind).effect == Effect::Looser)
        reportLooser(of, change, sink);
    reportVersion(of, sink);
  }
  return sink.take();
}

} // namespace tikc::driver
