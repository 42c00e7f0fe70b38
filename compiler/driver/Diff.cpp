#include "driver/Commands.h"
#include "driver/CommonOptions.h"
#include "driver/ComparedSides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace tikc::driver {
namespace {

using changes::ContractChanges;
using changes::Effect;
using changes::VersionStep;

bool failsOn(const ContractChanges& changes, std::string_view on) {
  const bool isGone =
      changes.presence == ContractChanges::Presence::OnlyOld; // with all that it promised
  const bool isShort = !changes.version.isEnough();
  if ((isGone || changes.version.goesBack) && on != "none")
    return true;
  if (on == "looser")
    return changes.effect == Effect::Looser;
  if (on == "changed")
    return changes.effect >= Effect::Changed;
  if (on == "major")
    return isShort && changes.version.needed == VersionStep::Major;
  if (on == "minor")
    return isShort && changes.version.needed >= VersionStep::Minor;
  return on == "any" &&
         (!changes.changes.empty() || changes.presence != ContractChanges::Presence::InBoth);
}

std::string changesAs(std::string_view form, const changes::ComparedContracts& compared) {
  if (form == "json")
    return changes::changesJson(compared);
  if (form == "markdown")
    return changes::changesMarkdown(compared);
  return form == "github" ? changes::changesGithub(compared) : changes::changesText(compared);
}

} // namespace

llvm::Expected<int> runDiff(const Invocation& invocation) {
  auto jobs = jobsOf(invocation);
  if (!jobs)
    return jobs.takeError();
  if (std::count(invocation.arguments.begin(), invocation.arguments.end(), "-") > 1)
    return usageError("standard input can be only one side; found `-` twice");
  SourceManager sources;
  SidesRequest request{invocation.arguments.front(),
                       {invocation.arguments.begin() + 1, invocation.arguments.end()},
                       *jobs,
                       invocation.has("--force-exclude")};
  auto sides = compareSides(sources, Limits(), request);
  if (!sides)
    return sides.takeError();
  for (const std::string* errors : {&sides->oldErrors, &sides->newErrors})
    std::fwrite(errors->data(), 1, errors->size(), stderr);
  if (std::string why = onlyBasesText(*sides); !why.empty()) {
    if (!sides->hasHeirs)
      return usageError(why + "; add one, or compare with git:REV, which looks for them");
    fmt::print(stderr, "{}\n", why);
  }
  if (auto error = writeOutput(invocation, changesAs(invocation.get("--format"), sides->compared)))
    return error;
  if (!sides->isWhole())
    return WrongUse;
  std::string on = invocation.get("--fail-on");
  const auto& contracts = sides->compared.contracts;
  bool isFailure =
      std::any_of(contracts.begin(), contracts.end(),
                  [&](const ContractChanges& changes) { return failsOn(changes, on); });
  return isFailure ? Findings : Clean;
}

} // namespace tikc::driver
