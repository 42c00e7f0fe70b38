#include "ide/Since.h"
#include "ide/actions/Actions.h"
#include "ide/actions/Inserting.h"

#include <fmt/format.h>

namespace tikc::ide {

/// Anywhere on its line.
static bool touchesLine(const ActionRequest& request, const Span& span) {
  const std::string& text = request.source().text;
  return request.touches({span.file, lineStart(text, span.begin), lineEnd(text, span.end)});
}

void addVersion(const ActionRequest& request, std::vector<CodeAction>& out) {
  if (!request.committed)
    return;
  // Comparing takes longer than a move of the cursor may.
  bool isAsked = false;
  for (const model::Contract& contract : request.analysis.checked.contracts)
    isAsked |= contract.version && touchesLine(request, contract.version->span);
  if (!isAsked)
    return;
  for (const changes::ContractChanges& comparison :
       changesSince(*request.committed, request.analysis)) {
    if (comparison.version.isEnough() || !comparison.versionPlace.valid() ||
        !touchesLine(request, comparison.versionPlace))
      continue;
    CodeAction action;
    action.title = fmt::format("set the version to {}, the lowest that the changes since HEAD need",
                               comparison.version.next);
    action.kind = ActionKind::QuickFix;
    action.does = std::vector<Edit>{{comparison.versionPlace, comparison.version.next}};
    action.isPreferred = true;
    out.push_back(std::move(action));
  }
}

} // namespace tikc::ide
